/** First words of questions and of references to earlier text in a language. */
export interface Phrases {
  /** First words of a question heading. */
  readonly questions: RegExp
  /** First words of a passage that depends on the previous one. */
  readonly references: RegExp
}

/** Matches a text that starts with one of the words. */
const words = (list: string) =>
  new RegExp(`^(?:${list.trim().replace(/\s+/g, '|').replaceAll('_', ' ')})(?![\\p{L}\\p{M}])`, 'iu')
/** The same for languages without spaces between words. */
const unspaced = (list: string) => new RegExp(`^(?:${list.trim().replace(/\s+/g, '|')})`, 'u')

/** By ISO 639-3 code. `_` stands for a space. */
const PHRASES: Readonly<Record<string, Phrases>> = {
  eng: {
    questions: words('how what when where which who whose why is are can could do does did should will would'),
    references: words(
      'this that these those it its he she they them their such_a as_mentioned as_above as_noted as_we_saw see_above the_above the_former the_latter however therefore thus moreover furthermore besides also but',
    ),
  },
  deu: {
    questions: words(
      'wie was wann wo woher wohin warum wieso weshalb wer wem wen welche welcher welches ist sind kann können muss soll',
    ),
    references: words(
      'dies diese dieser dieses diesem diesen jene jener jenes es er sie dazu dafür dabei damit deshalb deswegen daher außerdem dadurch wie_oben siehe_oben wie_erwähnt allerdings aber auch',
    ),
  },
  fra: {
    questions: words('comment que quoi quand où pourquoi qui quel quelle quels quelles combien est-ce faut-il peut-on'),
    references: words(
      'ce cela ceci cette ces celui-ci celle-ci il elle ils elles ainsi donc cependant toutefois mais aussi comme_indiqué',
    ),
  },
  spa: {
    questions: words('cómo qué cuándo dónde por_qué quién quiénes cuál cuáles cuánto cuánta'),
    references: words(
      'esto este esta estos estas eso ese esa esos esas aquello él ella ellos ellas además por_lo_tanto sin_embargo pero también',
    ),
  },
  ita: {
    questions: words('come cosa che_cosa quando dove perché chi quale quali quanto'),
    references: words(
      'questo questa questi queste ciò quello quella esso essa essi lui lei loro inoltre quindi perciò tuttavia ma anche',
    ),
  },
  por: {
    questions: words('como o_que quando onde por_que quem qual quais quanto'),
    references: words(
      'isto isso este esta estes estas esse essa aquilo ele ela eles elas além_disso portanto porém mas também',
    ),
  },
  nld: {
    questions: words('hoe wat wanneer waar waarom wie welke is zijn kan moet'),
    references: words('dit dat deze die het hij zij ze hiervoor daarvoor daarom bovendien echter maar ook'),
  },
  swe: {
    questions: words('hur vad när var varför vem vilka vilken vilket är kan'),
    references: words('detta denna dessa det den de han hon därför dessutom men också'),
  },
  pol: {
    questions: words('jak co kiedy gdzie dlaczego kto który która które czy ile'),
    references: words('to ten ta te ci on ona ono oni one dlatego ponadto jednak ale też'),
  },
  rus: {
    questions: words('как что когда где почему зачем кто какой какая какие сколько можно_ли'),
    references: words('это этот эта эти тот та те он она оно они поэтому кроме_того однако но также'),
  },
  tur: {
    questions: words('nasıl ne neden niçin niye nerede kim hangi kaç'),
    references: words('bu şu o bunlar onlar bunun ayrıca ancak fakat ama'),
  },
  ara: {
    questions: words('كيف ما ماذا متى أين لماذا من أي كم هل'),
    references: words('هذا هذه ذلك تلك هؤلاء أولئك هو هي هم لذلك لكن أيضا كما_ذكرنا'),
  },
  zho: {
    questions: unspaced('如何 怎么 怎样 什么 为什么 为何 哪里 哪些 哪个 谁 多少 是否 能否'),
    references: unspaced('这 那 它 他 她 此 因此 所以 但是 然而 如上'),
  },
  jpn: {
    questions: unspaced('どう なぜ 何 なに いつ どこ 誰 だれ どの どれ いくら'),
    references: unspaced('これ それ あれ この その あの 彼 彼女 しかし そのため また 上記'),
  },
  kor: {
    questions: unspaced('어떻게 무엇 왜 언제 어디 누가 누구 어떤 얼마'),
    references: unspaced('이것 그것 저것 이는 그는 그녀 그러나 따라서 또한 하지만'),
  },
  tha: {
    questions: unspaced('อย่างไร อะไร ทำไม เมื่อไร ที่ไหน ใคร วิธี'),
    references: unspaced('สิ่งนี้ นี่ นั่น มัน เขา เธอ พวกเขา ดังนั้น แต่ อย่างไรก็ตาม'),
  },
}

const NONE: Phrases = { questions: /(?!)/u, references: /(?!)/u }
/** Question marks: Latin, full-width, Arabic, Armenian; in Greek a semicolon. */
const QUESTION_MARK = /[?？؟՞][\s"'»”’)\]]*$/u
const GREEK_QUESTION_MARK = /[;\u037e]\s*$/u
/** Characters before the first word: quotes, brackets, numbering, inverted question marks. */
const OPENING = /^(?:[\s"'«„“‘([¿¡]|\d{1,3}[.):])+/u

/** Whether a heading is a question, by its question mark or, in supported languages, by its first word. */
export function isQuestion(heading: string, language: string): boolean {
  if (endsWithQuestionMark(heading) || heading.includes('¿')) return true
  if (language === 'ell' && GREEK_QUESTION_MARK.test(heading)) return true
  return phrasesOf(language).questions.test(heading.replace(OPENING, ''))
}

/** Whether a passage starts with a reference to earlier text; `undefined` in unsupported languages. */
export function beginsWithReference(text: string, language: string): boolean | undefined {
  return PHRASES[language] && phrasesOf(language).references.test(text.replace(OPENING, ''))
}

export function endsWithQuestionMark(text: string): boolean {
  return QUESTION_MARK.test(text)
}

function phrasesOf(language: string): Phrases {
  return PHRASES[language] ?? NONE
}
