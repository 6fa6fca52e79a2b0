import type { DatabaseKind } from '../../../core/database/index.ts'
import { RestError } from '../../../core/errors.ts'
import { toParagraphs } from '../render/autop.ts'
import { convertSmilies, hasSmilies } from '../render/smilies.ts'
import type { TexturizeRules } from '../render/texturize.ts'
import { cleanPostHtml } from '../sanitize-post.ts'
import { type SearchDocument, type SearchTexts, toSearchDocument } from '../search/document.ts'
import { createThread } from './create-thread.ts'

/** Length from which a text is processed in the thread: shorter texts do not block the event loop for long. */
export const LARGE = 32_000
/** Time limit for one text, in ms: hundreds of times what the slowest text of one megabyte takes. */
const LONGEST_MS = 30_000

/** Tasks of the thread. */
export type LargeTextTask =
  | { readonly kind: 'clean'; readonly html: string }
  | { readonly kind: 'paragraphs'; readonly text: string }
  | { readonly kind: 'smilies'; readonly html: string }
  | { readonly kind: 'texturize'; readonly html: string; readonly rules: TexturizeRules }
  | { readonly kind: 'search'; readonly database: DatabaseKind; readonly texts: SearchTexts }

/** An error crosses the thread boundary as a value, because it would lose its class. */
export type LargeTextResult =
  | { readonly kind: 'clean' | 'paragraphs' | 'smilies' | 'texturize'; readonly text: string }
  | { readonly kind: 'search'; readonly document: SearchDocument }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly status: number }

/**
 * `cleanPostHtml`, in a thread if the text is large, so that other requests do not wait.
 * @throws RestError `rest_invalid_param` if it is nested too deeply
 */
export async function cleanPostText(html: string): Promise<string> {
  if (html.length < LARGE) return cleanPostHtml(html)
  const result = await run({ kind: 'clean', html })
  if (result.kind !== 'clean') throw unexpected(result)
  return result.text
}

/** `toParagraphs`, in a thread if the text is large. */
export function toTextParagraphs(text: string): string | Promise<string> {
  return text.length < LARGE ? toParagraphs(text) : toLargeParagraphs(text)
}

async function toLargeParagraphs(text: string): Promise<string> {
  const result = await run({ kind: 'paragraphs', text })
  if (result.kind !== 'paragraphs') throw unexpected(result)
  return result.text
}

/** Runs `texturize` in a thread for a large text; `undefined` for others, which the caller processes itself. */
export function toTexturized(html: string, rules: TexturizeRules): Promise<string> | undefined {
  return html.length < LARGE ? undefined : toLargeTexturized(html, rules)
}

async function toLargeTexturized(html: string, rules: TexturizeRules): Promise<string> {
  const result = await run({ kind: 'texturize', html, rules })
  if (result.kind !== 'texturize') throw unexpected(result)
  return result.text
}

/** Runs `convertSmilies`, in a thread if the text is large and contains any. */
export function toSmilies(html: string): string | Promise<string> {
  return html.length < LARGE || !hasSmilies(html) ? convertSmilies(html) : toLargeSmilies(html)
}

async function toLargeSmilies(html: string): Promise<string> {
  const result = await run({ kind: 'smilies', html })
  if (result.kind !== 'smilies') throw unexpected(result)
  return result.text
}

/** `toSearchDocument`, in a thread if the texts are large. */
export async function toIndexed(database: DatabaseKind, texts: SearchTexts): Promise<SearchDocument> {
  const length = texts.content.reduce((sum, text) => sum + text.length, texts.title.length)
  if (length < LARGE) return toSearchDocument(database, texts)
  const result = await run({ kind: 'search', database, texts })
  if (result.kind !== 'search') throw unexpected(result)
  return result.document
}

/** One for all sites of the process. */
const thread = createThread<LargeTextTask, LargeTextResult>(new URL('./thread.ts', import.meta.url), LONGEST_MS)

async function run(task: LargeTextTask): Promise<LargeTextResult> {
  const result = await thread.run(task)
  if (result.kind === 'refused') throw new RestError(result.code, result.message, { status: result.status })
  return result
}

const unexpected = ({ kind }: LargeTextResult) => new TypeError(`The thread for large texts returned ${kind}.`)
