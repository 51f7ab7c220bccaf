import { describe, expect, it } from 'vitest';
import { nearWord } from '../../../src/compiler/graph/suggest.js';

const edgeTypes = ['PROCESS', 'FOLD', 'FORK', 'RACE'];
const settings = 'operation union returns after route status null throws page internal'.split(' ');
const labels = ['Enum', 'Scalar', 'Input', 'OneOf', 'Interface', 'Problem'];
const nodeWords = ['values', 'specifiedBy', 'implements', 'status', 'internal'];
const meaningful = [...edgeTypes, ...settings, ...labels, ...nodeWords];

/** The words that public topologies use on edges and as types that are not part of the API. */
const publicWords = `
  strategy mode role reason case expect failure schedule order weight op fn
  MEASURE TUNNEL SLIVER VENT OBSERVE INTERFERE MEMBER_OF SUBGROUP_OF MAY_CONTAIN CLAIM CHECK DEPENDS_ON CONTAINS
  SUBJECT PREDICATE CONCLUSION RANKED_CANDIDATE REJECT
`;

const everydayWords = `
  able about above access account act action active actor add address age agent aim air alarm alias alert all allow
  alone along also alter alternate always amount angle animal answer any apply area arena argument army array arrow art
  article ask aspect asset aster at attempt author auto average away baby back bad bag balance ball band bank bar base
  batch bath beat beauty bed bell best better bind bird bit black block blood blue board boat body bold bond bone book
  boost born boss both bottom bound box boy branch brand bread break bridge brief bring broad brown budget buffer bug
  build bulk bull bus button buy bytes cache cage cake call camera camp can cancel cap car card care cargo carry cart
  cash cast cat catch cause cell center chain chair chance change channel charge chart cheap chief child choice city
  claim class clean clear client clock close cloud coach coast code coin cold color column comment common company
  compare concern condition connect constant contact content context control cook copy core corner cost count counter
  country couple course court cover crash create credit crew crop cross crowd cup current curve cut cycle dark data date
  day dead deal dear debt decay decide deck deep default degree delay demand depth design detail device dial diet dinner
  direct disk distance divide doctor document dog door double down draft draw dream dress drink drive drop dry duck due
  dull duration dust duty each early earth ease east easy edge edit effect effort egg eight either election element
  else email empty end enemy energy engine enough enter entry equal error escape eternal evening event ever every exact
  example exit external extra eye fabric face fact factor fail fair faith fall family far farm fast fat fate father
  fault fear feature feed feel fiber field fight file fill film filter final find fine finger finish fire firm first
  fish fit five fix flag flat flight float flood floor flow fly focus folk follow fond food foot for force ford form
  format fort forum found four frame free fresh friend from front fruit fuel full fun function fund future gain game gap
  garden gas gate gear general get gift girl give glass goal goat god gold good grace grade grain grand grant graph
  grass gray great green group grow growth guard guess guest guide hair half hall hand handle hang happy hard hash hat
  head health heart heat heavy height hello help here hide high hill hint history hit hold hole home hook hope horse
  hotel hour house huge human hunt ice idea image impact income index infernal info inner insight instance integral
  intent interact interest interim interlace intern internet interval into invite iron island issue item job join
  joint judge jump just keep key kick kid kind king knee label labor lack lake land lane language large last late later
  launch law lawn layer lead leaf league learn least leave left leg lend length less lesson letter level life lift light
  like limit line link lion list live load loan local lock long look loop loss lot love low luck lunch machine magic
  mail main major make male man manager map margin mark market mass master match mate material matter max mean meal
  media medium meet member memory menu merge message metal method middle might mile milk mill mind mine minor minute
  mirror miss mix model modern moment money month mood moon more morning most motion motor mouse mouth move movie much
  mud music name narrow nation native nature near neck need nest net network never new news next nice night nine node
  noise none noon normal north nose note notes notice number nurse object offer office offset often oil old one onion
  only open operate operating operator opinion option orange oration origin other otter outer outage output outside
  oven over owner pace pack package pad paged pager pain paint pair pale palm pane panel paper parent park part partner
  party pass past patch path pattern pause pay peace peak peer pen people percent period permit person phase phone
  phrase picture piece pile pilot pin pink pipe pitch place plain plan plane plant plate play player plot plug plus
  pocket poet point pole policy poll pool poor pope pop port pose position post pot pound pour power press price pride
  prince princess print prior priority prize probe proceed process_id produce product profit program progress project
  promise proof proper prove prowess public pull pulse pump punch pure purpose push put quality quarter query queue
  quick quiet quite quota radio rage rail rain raise random range rank rapid rare rate rather ratio raw reach react read
  ready real rear recall receipt record recur red reduce refund refunds region relay release rely remain rent rents
  repair repeat reply report request rescue reset rest result results retain retains retries retry reward rice rich ride
  right ring rise risk river road robot rock roll roof room root rope rose rotate rotor rouge rough round router row rule
  run rural rush sad safe sail salary sale salt same sample sand save scale scene school score screen script sea search
  season seat second secret section sector seed seek seem segment select sell send senior sense series serve service
  session set seven shade shadow shake shape share sharp sheet shelf shell shift ship shirt shock shoe shop shore short
  shot show side sight sign signal silent silver simple since single sink site six size skill skin sky sleep slice slide
  slot slow small smart smile smoke smooth snow soft soil solid solution some song soon sort soul sound source south
  space spare speak speech speed spell spend spirit split sport spot spread spring stack staff stage stake stand star
  start state statement station statue stay steam steel step stick still stock stone stop storage store storm story
  strange stratus stream street stress strike string strong student study stuff style subject success sugar suit summer
  sun supply support sure surface survey sweet swim switch symbol system table tail take tale talk tall tank target task
  taste tax team tear tell ten tenant term terms test text thank theme theory there thick thin thing think third thread
  three through throng thrown ticket tie tight time tip title today token tone tool tooth top topic total touch tough
  tour tower town track trade train transit trap travel tree trend trial tribe trick trip truck true trust truth try tube
  turn turns twice twin two type uncle under unison unit unite until upper urban use user usual vary vendor venue
  version very victim video view village visit voice volume vote wage wait walk wall want warm wash waste watch water
  wave way weak wealth wear week weight well west wheel while white whole why wide wife wild will win wind window wine
  wing winner winter wire wise wish woman wonder wood word work worker world worry worth write wrong yard year yellow yes
  young youth zero zone
`;

const listOf = (text: string): readonly string[] => text.trim().split(/\s+/);

describe('a misspelt word', () => {
  it.each([
    ['PROCES', 'PROCESS'],
    ['PROCCES', 'PROCESS'],
    ['PORCESS', 'PROCESS'],
    ['RPOCESS', 'PROCESS'],
    ['FODL', 'FOLD'],
    ['FOLDS', 'FOLD'],
    ['FRK', 'FORK'],
    ['RCAE', 'RACE'],
  ])('%s is near the edge type %s', (word, known) => {
    expect(nearWord(word, edgeTypes)).toBe(known);
  });

  it.each([
    ['operaton', 'operation'],
    ['opertaoin', 'operation'],
    ['Operation', 'operation'],
    ['unoin', 'union'],
    ['nuion', 'union'],
    ['retruns', 'returns'],
    ['return', 'returns'],
    ['aftr', 'after'],
    ['rotue', 'route'],
    ['staus', 'status'],
    ['nul', 'null'],
    ['nlul', 'null'],
    ['throw', 'throws'],
    ['trows', 'throws'],
    ['paeg', 'page'],
    ['pages', 'page'],
    ['internl', 'internal'],
  ])('%s is near the setting %s', (word, known) => {
    expect(nearWord(word, settings)).toBe(known);
  });

  it.each([
    ['Enm', 'Enum'],
    ['enum', 'Enum'],
    ['ENUM', 'Enum'],
    ['Scaler', 'Scalar'],
    ['Imput', 'Input'],
    ['Oneof', 'OneOf'],
    ['Interfce', 'Interface'],
    ['Porblem', 'Problem'],
  ])('%s is near the label %s', (word, known) => {
    expect(nearWord(word, labels)).toBe(known);
  });

  it('is near the nearest of several words, and the first of two at the same distance', () => {
    expect(nearWord('abcdex', ['abcdef', 'abcdex_'])).toBe('abcdef');
    expect(nearWord('abcdefh', ['abcdefgg', 'abcdefg'])).toBe('abcdefg');
    expect(nearWord('enum', ['Enum', 'enums'])).toBe('Enum');
  });
});

describe('an unrelated word', () => {
  it.each([...listOf(publicWords), ...listOf(everydayWords)])('%s is not near any word with a meaning', (word) => {
    for (const form of [word, word.toUpperCase(), `${word[0]?.toUpperCase()}${word.slice(1)}`]) {
      expect(nearWord(form, meaningful)).toBeUndefined();
    }
  });

  it.each([
    ['a word of four letters with a wrong one', 'pace', ['page']],
    ['a word with another first letter', 'eternal', ['internal']],
    ['two mistakes in a word of less than seven letters', 'sttuus', ['status']],
    ['three mistakes in a longer word', 'opraion_', ['operation']],
  ])('%s is not near: %s', (_, word, known) => {
    expect(nearWord(word, known)).toBeUndefined();
  });
});
