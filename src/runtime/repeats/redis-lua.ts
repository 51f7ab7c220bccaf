import { firstCharge, guaranteedAccounts, overhead } from './fair-share.js';

/**
 * The beginning of all scripts. Beside a hash for each key there are three more for all of them: when keys expire (a
 * sorted set), what each key is charged and to whom, and the sum of each account, where '' is the sum of all. The
 * clock is that of Redis, the same for all processes.
 */
const prelude = `
local size, ttl, lease = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local id, account, fingerprint, token = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local record = KEYS[1] .. ':key:' .. id
local ends, charges, used = KEYS[1] .. ':ends', KEYS[1] .. ':charges', KEYS[1] .. ':used'
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function add(who, bytes)
  if redis.call('hincrby', used, who, bytes) <= 0 then redis.call('hdel', used, who) end
end
local function charged(one)
  local bytes, who = string.match(redis.call('hget', charges, one) or '', '^(%d+) (.*)$')
  return tonumber(bytes or '0'), who or account
end
local function charge(one, bytes)
  local before, who = charged(one)
  if bytes == before then return end
  add(who, bytes - before)
  add('', bytes - before)
  if bytes == 0 then redis.call('hdel', charges, one)
  else redis.call('hset', charges, one, bytes .. ' ' .. who) end
end
local function forget(one)
  charge(one, 0)
  redis.call('zrem', ends, one)
  redis.call('del', KEYS[1] .. ':key:' .. one)
end
local function expireAfter(wait)
  redis.call('pexpire', record, wait)
  redis.call('zadd', ends, string.format('%.0f', now + wait), id)
end
local base = size / ${4 * guaranteedAccounts}
local function usedBy(who) return tonumber(redis.call('hget', used, who) or '0') end
local function hasRoom(more)
  if more <= 0 then return true end
  local own, total = usedBy(account) + more, usedBy('') + more
  if own <= base then return total <= size end
  return own <= (0.75 * size - total) / 2
end
local function lend()
  redis.call('hset', record, 'token', token, 'lease', string.format('%.0f', now + lease))
  expireAfter(math.max(ttl, lease))
end
local function isOwn()
  local found = redis.call('hget', record, 'token')
  return not found or found == token
end
`;

/** Takes a key for a run, or tells what is known of it. Each call removes more charges than it adds, while there are any. */
export const beginScript = `${prelude}
for _, one in ipairs(redis.call('zrangebyscore', ends, '-inf', string.format('%.0f', now), 'limit', 0, 50)) do
  forget(one)
end
local found = redis.call('hmget', record, 'fingerprint', 'state', 'lease', 'text')
if not found[1] then
  charge(id, 0)
  if not hasRoom(${firstCharge}) then
    local first = redis.call('zrange', ends, 0, 0, 'withscores')
    local kind = 'full'
    if usedBy(account) + ${firstCharge} > base then kind = 'greedy' end
    return { kind, string.format('%.0f', (first[2] or now) - now) }
  end
  charge(id, ${firstCharge})
  redis.call('hset', record, 'fingerprint', fingerprint, 'state', 'running')
  lend()
  return { 'first', '' }
end
if found[1] ~= fingerprint then return { 'reused', '' } end
if found[2] == 'answered' then return { 'answered', found[4] } end
if tonumber(found[3]) > now then return { 'busy', '' } end
if found[2] == 'running' then return { 'unknown', '' } end
lend()
return { 'changed', found[4] }`;

/** Writes a state, unless another run has the key. A key that Redis has lost is written again. */
export const writeScript = `${prelude}
local state, text, always = ARGV[8], ARGV[9], ARGV[10] == 'always'
if not isOwn() then return 'lost' end
local bytes = ${overhead} + #text
if not always and not hasRoom(bytes - charged(id)) then return 'full' end
charge(id, bytes)
redis.call('hset', record, 'fingerprint', fingerprint, 'state', state, 'text', text)
if state == 'answered' then
  redis.call('hset', record, 'token', '', 'lease', '0')
  expireAfter(ttl)
else lend() end
return 'kept'`;

export const endScript = `${prelude}
if redis.call('hget', record, 'token') ~= token then return end
if ARGV[8] == 'forget' then
  forget(id)
  return
end
redis.call('hset', record, 'token', '', 'lease', '0')
expireAfter(ttl)`;

export const renewScript = `${prelude}
if redis.call('hget', record, 'token') == token then lend() end`;
