import type { JsonValue } from '../../../core/options/types.ts'
import { inEveryString } from '../addresses.ts'
import { type ReplaceText, replaceIn } from '../replace-in-text.ts'

/** @throws Error for an invalid pattern */
export async function createReplacement(search: string, replacement: string, isRegex: boolean): Promise<ReplaceText> {
  if (!isRegex) return (text) => text.replaceAll(search, () => replacement)
  // RE2 takes linear time, regardless of the pattern.
  const { RE2JS } = await import('re2js')
  const pattern = RE2JS.compile(search)
  return (text) => pattern.matcher(text).replaceAll(replacement)
}

/** The value with its strings replaced; keys are not changed. */
export function replaceInValue(value: JsonValue, replace: ReplaceText): JsonValue {
  return inEveryString(value, (text) => replaceIn(text, replace))
}
