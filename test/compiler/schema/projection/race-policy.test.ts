import { describe, expect, it } from 'vitest';
import { check, findingOf, fixed, project } from '../check.js';

const race = (policy: string) => `(a | b)-[:RACE { ${policy} }]->(c)`;
const union = 'union CRace = A | B for C';

describe('the policy of a race', () => {
  it.each([
    ["failure: 'cancel'", 'failure cancel'],
    ["failure: 'vent'", 'failure vent'],
    ["failure: 'shield'", 'failure shield'],
    ['timeoutMs: 500', 'timeoutMs 500'],
    ["timeoutMs: '500'", 'timeoutMs 500'],
    ['deadlineMs: 1', 'deadlineMs 1'],
    ['deadlineMs: 2147483647', 'deadlineMs 2147483647'],
    ['quorum: 2', 'quorum 2'],
    ["quorum: '2', after: '5ms'", 'after 0, 5 quorum 2'],
    ["quorum: 2, deadlineMs: 9, failure: 'vent', timeoutMs: 5", 'failure vent timeoutMs 5 deadlineMs 9 quorum 2'],
  ])('may be %s', (policy, has) => {
    check(race(policy), { has: [`${union} ${has}`] });
  });

  it('is absent from a race without one', () => {
    expect(project('(a | b)-[:RACE]->(c)').schema.unions[0]).not.toHaveProperty('policy');
    expect(project(race("after: '5ms'")).schema.unions[0]).not.toHaveProperty('policy');
  });

  it('belongs to an internal race, too', () => {
    const internal = race('internal: true, quorum: 2');
    expect(project(internal).schema.internal?.races[0]?.policy).toEqual({ quorum: 2 });
  });

  it.each([
    ["failure: 'explode'", "“failure” must be 'cancel', 'vent' or 'shield'."],
    ['failure: true', "“failure” must be 'cancel', 'vent' or 'shield'."],
    ["timeoutMs: 'soon'", '“timeoutMs” must be a number of milliseconds, such as 500.'],
    ['timeoutMs: 0', '“timeoutMs” must be a number of milliseconds, such as 500.'],
    ['timeoutMs: 1.5', '“timeoutMs” must be a number of milliseconds, such as 500.'],
    ["timeoutMs: ''", '“timeoutMs” must be a number of milliseconds, such as 500.'],
    ['deadlineMs: 2147483648', '“deadlineMs” must be a number of milliseconds, such as 500.'],
    ['quorum: [2]', '“quorum” must be a number of branches, such as 2.'],
  ])('may not be %s', (policy, message) => {
    check(race(policy), { findings: [`GG2018 «${policy}»`], has: [union] });
    expect(findingOf(race(policy), 'GG2018').message).toBe(message);
  });

  it.each([
    ['(a | b)-[:RACE { quorum: 3 }]->(c)', 'its race has 2 branches'],
    ['(a)-[:RACE { quorum: 2 }]->(c)', 'its race has 1 branch'],
    ['(a | b)-[:RACE { quorum: 1 }]->(c)', 'the result of one branch is no agreement'],
  ])('cannot have a quorum that the branches cannot form: %s', (text, reason) => {
    expect(findingOf(text, 'GG3090').message).toMatch(new RegExp(`^CRace cannot have a quorum of \\d: ${reason}\\.$`));
  });

  it.each([
    [300, 300],
    [300, 200],
  ])('has a time of %d ms for each branch without effect if the deadline is %d ms', (timeout, deadline) => {
    check(race(`deadlineMs: ${deadline}, timeoutMs: ${timeout}`), {
      findings: [`GG3091 «timeoutMs: ${timeout}»`],
      has: [`${union} timeoutMs ${timeout} deadlineMs ${deadline}`],
    });
  });

  it('counts the branches of all edges', () => {
    check('(a)-[:RACE { quorum: 2 }]->(c) (b)-[:RACE]->(c)', { has: [`${union} quorum 2`] });
  });

  it('is that of all edges of the race', () => {
    check('(a)-[:RACE { timeoutMs: 5 }]->(c) (b)-[:RACE { timeoutMs: 5, quorum: 2 }]->(c)', {
      has: [`${union} timeoutMs 5 quorum 2`],
    });
    check('(a)-[:RACE { timeoutMs: 5 }]->(c) (b)-[:RACE { timeoutMs: 6 }]->(c)', {
      findings: ['GG3037 «timeoutMs: 6» + «timeoutMs: 5»'],
      has: [`${union} timeoutMs 5`],
    });
  });

  it('is reported once if it stands on an edge to several targets', () => {
    check('(a | b)-[:RACE { quorum: 3 }]->(c | d)', { findings: ['GG3090 «quorum: 3»'] });
  });

  it.each([
    ["failur: 'vent'", 'failure'],
    ['timeoutMS: 500', 'timeoutMs'],
    ['deadlinMs: 500', 'deadlineMs'],
    ['qorum: 2', 'quorum'],
  ])('may be misspelt: %s', (property, word) => {
    const [key = ''] = property.split(':');
    check(race(property), { findings: [`GG2041 «${key}»`] });
    expect(fixed(race(property), 'GG2041')).toBe(race(property.replace(key, word)));
  });

  it.each(["failur: 'explode'", "timeoutMS: 'soon'"])('is not suggested for %s', (property) => {
    check(race(property), {});
  });
});

describe('a policy on an edge of another type', () => {
  it.each(['PROCESS', 'FOLD', 'FORK'])('has no effect on %s', (type) => {
    check(`(a)-[:${type} { failure: 'vent', quorum: 2 }]->(b) (b)-[:${type} { quorum: 3 }]->(d)`, {
      findings: ['GG3029 «failure»', 'GG3029 «quorum»'],
    });
  });

  it('is not suggested', () => {
    check("(a)-[:PROCESS { failur: 'vent', timeoutMS: 5 }]->(b)", {});
  });

  it('is an argument if it has a type', () => {
    check('(a)-[:PROCESS { timeoutMs: Int }]->(b)', { has: ['query b(timeoutMs: Int): B'] });
  });
});
