import { readFileSync, statSync } from 'node:fs'

/** Jed's format: texts by `msgid`, or by `context\u0004msgid`; the plural rule under `''`. */
export type Messages = Record<string, string[] | Record<string, string>>

/** An entry of a template for translators. */
export interface PotEntry {
  readonly text: string
  readonly plural?: string | undefined
  readonly context?: string | undefined
  /** The files that it is in. */
  readonly files: readonly string[]
}

/** Separates context and text in a key of Jed's format. */
const CONTEXT_DELIMITER = '\u0004'
const LOCALE = /^[a-z]{2,3}(?:[_-][a-z0-9]+){0,3}$/i
/** Bytes of a file: reading one holds up the site. */
const MAX_SIZE = 1024 * 1024
/** The rule of English, which WordPress uses for files without one. */
const ENGLISH = 'nplurals=2; plural=(n != 1);'
const MAX_HEADER = 500
/** No language has more plural forms. */
const MAX_FORMS = 6
/** A comment, keyword, or string: https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html */
const TOKEN =
  /\s*(?:#([^\n]*)|(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d\])?(?=[\s"])|"([^"\\\n]*(?:\\.[^"\\\n]*)*)"|(\S))/y
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

interface Entry {
  context: string
  text: string
  forms: string[]
  isFuzzy: boolean
}

/**
 * The names of the files for a language, the most specific one first: `admin-de_AT.po`, `admin-de.po`.
 *
 * @param locale - As stored in settings: `de_DE`, `de_DE_formal`, `pt-BR`. None for an invalid one.
 */
export function poFiles(name: string, locale: string): string[] {
  if (!LOCALE.test(locale)) return []
  const parts = locale.replaceAll('-', '_').split('_')
  return parts.map((_, at) => `${name}-${parts.slice(0, parts.length - at).join('_')}.po`)
}

/** Reads a PO file. @throws Error if it cannot be read, is too large, or is not a PO file */
export function readPo(path: string, domain: string): Messages {
  const stats = statSync(path)
  if (!stats.isFile()) throw new Error('It is not a regular file.')
  assertSize(stats.size)
  return decodePo(readFileSync(path), domain)
}

/** Reads the content of a PO file. @throws Error if it is too large or not PO */
export function decodePo(content: Buffer, domain: string): Messages {
  assertSize(content.length)
  return parsePo(decode(content), domain)
}

function assertSize(size: number): void {
  if (size > MAX_SIZE) throw new Error(`It is ${size} bytes; the maximum is ${MAX_SIZE} bytes.`)
}

/** By the character set in the header; UTF-8 unless it names another one. */
function decode(content: Buffer): string {
  const text = content.toString('utf8')
  const charset = /^"Content-Type:[^"\n]{0,100}charset=([\w-]{1,40})/im.exec(text)?.[1] ?? 'utf-8'
  return /^utf-?8$|^charset$/i.test(charset) ? text : new TextDecoder(charset).decode(content)
}

/**
 * The translations in the text of a PO file. Takes linear time, as extensions bring these files. Messages without a translation, or with a
 * fuzzy one, are left out.
 *
 * @throws Error with the line that is not PO
 */
export function parsePo(source: string, domain: string): Messages {
  const messages: Messages = Object.create(null)
  let headers = ''
  for (const { context, text, forms, isFuzzy } of entriesOf(source)) {
    if (text === '' && context === '') headers = forms[0] ?? ''
    else if (!isFuzzy && forms.some((form) => form !== '')) {
      messages[context === '' ? text : context + CONTEXT_DELIMITER + text] = forms
    }
  }
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(headers)?.[1]?.slice(0, MAX_HEADER) ?? ''
  messages[''] = { domain, lang: header('Language'), plural_forms: header('Plural-Forms') || ENGLISH }
  return messages
}

function* entriesOf(source: string): Generator<Entry> {
  let entry: Entry | undefined
  let context = ''
  let isFuzzy = false
  /** Where the next strings belong. */
  let append = (_: string): void => {}
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(source); match !== null; match = TOKEN.exec(source)) {
    const [, comment, keyword, string, other] = match
    if (other !== undefined) {
      throw new Error(`Line ${source.slice(0, TOKEN.lastIndex).split('\n').length} is not valid in a PO file.`)
    }
    if (comment?.startsWith(',')) isFuzzy ||= comment.includes('fuzzy')
    if (string !== undefined) append(unescaped(string))
    if (keyword === 'msgctxt') {
      context = ''
      append = (text) => {
        context += text
      }
    } else if (keyword === 'msgid') {
      if (entry !== undefined) yield entry
      const next: Entry = { context, text: '', forms: [], isFuzzy }
      entry = next
      context = ''
      isFuzzy = false
      append = (text) => {
        next.text += text
      }
    } else if (keyword === 'msgid_plural') {
      append = () => {}
    } else if (keyword === 'msgstr') {
      const forms = entry?.forms ?? []
      const at = forms.length < MAX_FORMS ? forms.push('') - 1 : MAX_FORMS - 1
      append = (text) => {
        forms[at] += text
      }
    }
  }
  if (entry !== undefined) yield entry
}

const unescaped = (text: string) => text.replace(/\\(.)/g, (_, one: string) => ESCAPES[one] ?? one)

/** Writes a template for translators, sorted by text. */
export function writePot(project: string, entries: readonly PotEntry[]): string {
  const header = [
    ...[`Project-Id-Version: ${project}`, 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=UTF-8'],
    ...['Content-Transfer-Encoding: 8bit', `Plural-Forms: ${ENGLISH}`, 'Language: '],
  ]
  const head = ['msgid ""', 'msgstr ""', ...header.map((line) => quote(`${line}\n`))].join('\n')
  const sorted = entries.toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  return `${[head, ...sorted.map(written)].join('\n\n')}\n`
}

function written({ text, plural, context, files }: PotEntry): string {
  return [
    ...files.map((file) => `#: ${file}`),
    ...(context ? [`msgctxt ${quote(context)}`] : []),
    `msgid ${quote(text)}`,
    ...(plural === undefined ? ['msgstr ""'] : [`msgid_plural ${quote(plural)}`, 'msgstr[0] ""', 'msgstr[1] ""']),
  ].join('\n')
}

const quote = (text: string) =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')}"`
