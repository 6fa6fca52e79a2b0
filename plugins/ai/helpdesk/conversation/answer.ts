import { type ExtensionHost, plainText } from 'pentad'
import { cutLine, cutText } from '../../cut-text.ts'
import { createFence } from '../../fence.ts'
import { noProvider } from '../../providers/errors.ts'
import type { Providers } from '../../providers/types.ts'
import type { HelpdeskSettings } from '../settings.ts'
import type { FoundPassage } from './find-passages.ts'
import type { Turn } from './turns.ts'

/** Reply of the model if the passages contain no answer. */
const NO_ANSWER = 'NO_ANSWER'
/** Maximum number of tokens of an answer. */
const LONGEST_ANSWER = 800
/** Maximum length of an answer that is shown. */
const LONGEST_REPLY = 4000
/** Maximum length of an answer that is parsed, because finding citations and links takes more than linear time. */
const MOST_READ = 2 * LONGEST_REPLY
/** `[2]`, `[1, 3]`, and the variant of some models: `【2】`. */
const CITATION = /\s*[[【](\d{1,2}(?:\s*[,;]\s*\d{1,2})*)[\]】]/g
/** Markdown links and images, of which only the text is kept. */
const MARKDOWN_LINK = /!?\[([^\]]*)\]\([^)]*\)/g

/** A cited page. */
export interface Source {
  readonly title: string
  readonly url: string
}

export interface Reply {
  /** Plain text. */
  readonly text: string
  readonly sources: readonly Source[]
}

/**
 * Answers only from passages: a reply without citations is discarded.
 * @param turns previous turns
 * @returns `undefined` if the passages contain no answer
 * @throws RestError as `Providers`
 */
export async function answer(
  { content, providers }: Pick<ExtensionHost, 'content'> & { providers: Pick<Providers, 'choices' | 'text'> },
  asked: { question: string; turns: readonly Turn[]; passages: readonly FoundPassage[] },
  { instructions, signal }: { instructions: HelpdeskSettings['helpdeskInstructions']; signal: AbortSignal },
): Promise<Reply | undefined> {
  if (!providers.choices().text) throw noProvider('')
  if (asked.passages.length === 0) return undefined
  const fence = createFence()
  const numbered = asked.passages.map(({ title, text }, at) => `[${at + 1}] ${title}\n${text}`).join('\n\n')
  const { text } = await providers.text({
    operation: 'helpdesk',
    userId: null,
    signal,
    instructions: instructionsFor(plainText(content.siteSettings().title), fence.rule, instructions),
    messages: [
      ...asked.turns.flatMap(({ question, reply }) => [
        { role: 'user' as const, content: fence.wrap('visitor', question) },
        { role: 'assistant' as const, content: reply },
      ]),
      {
        role: 'user' as const,
        content: `Passages:\n${fence.wrap('published pages', numbered)}\n\nQuestion:\n${fence.wrap('visitor', asked.question)}`,
      },
    ],
    maxOutputTokens: LONGEST_ANSWER,
  })
  return read(text, asked.passages)
}

function instructionsFor(site: string, rule: string, own: string): string {
  const rules = [
    `You are the helpdesk of the website “${site}” and answer questions from its visitors.`,
    'Answer only from the numbered passages of this site, never from other knowledge.',
    'After each statement cite its passage by number in brackets, as in [2].',
    `If the passages do not answer the question, or the visitor wants to contact a person, reply only with ${NO_ANSWER}.`,
    "Answer in the visitor's language, in plain text without Markdown, links or addresses, in at most 120 words.",
    rule,
  ]
  return [...rules, ...(own === '' ? [] : [`Instructions from the site owner:\n${own}`])].join('\n')
}

function read(answer: string, passages: readonly FoundPassage[]): Reply | undefined {
  if (answer.includes(NO_ANSWER)) return undefined
  const text = cutLine(answer, MOST_READ)
  const cited = [...text.matchAll(CITATION)].flatMap(([, numbers = '']) => numbers.split(/[,;]/).map(Number))
  const sources = new Map(
    cited.flatMap((number) => {
      const passage = passages[number - 1]
      return passage ? [[passage.url, { title: passage.title, url: passage.url }] as const] : []
    }),
  )
  // PostgreSQL cannot store NUL.
  const reply = text.replaceAll('\0', '').replace(MARKDOWN_LINK, '$1').replace(CITATION, '').trim()
  if (sources.size === 0 || reply === '') return undefined
  return { text: cutText(reply, LONGEST_REPLY), sources: [...sources.values()] }
}
