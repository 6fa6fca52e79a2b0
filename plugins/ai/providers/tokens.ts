import type { ModelCall, Usage } from './types.ts'

/** Tokens of answer at most, where a caller does not say. */
const ANSWER_TOKENS = 6000

/** What comes on top for models that think before they answer: providers count that as answer too. */
const THINKING_TOKENS = 4000

/** About what providers count for an image. */
export const IMAGE_TOKENS = 5000

/** Letters of European languages that a token holds on average. */
const LETTERS_PER_TOKEN = 4

/** About how many tokens texts are, where nobody has counted. */
export function estimateTokens(...texts: readonly string[]): number {
  return texts.reduce((tokens, text) => tokens + Math.ceil(text.length / LETTERS_PER_TOKEN), 0)
}

/** About how many tokens a question is. */
export function questionTokens({ instructions, messages }: ModelCall): number {
  return estimateTokens(instructions, ...messages.map(({ content }) => content))
}

/** Tokens that a provider may give back, thoughts among them. */
export function outputTokens({ maxOutputTokens = ANSWER_TOKENS }: ModelCall): number {
  return maxOutputTokens + THINKING_TOKENS
}

/** What a call may take. */
export function questionUsage(call: ModelCall): Usage {
  return { inputTokens: questionTokens(call), outputTokens: outputTokens(call) }
}

/** More than any model takes in one go: a server that says more has not counted, and a few such would end every sum. */
const MOST_COUNTED = 100_000_000

/** Tokens as the provider counts them, otherwise as estimated: so the limit holds with every provider. */
export function counted(said: number | undefined, estimate: number): number {
  return said !== undefined && Number.isInteger(said) && said > 0 && said <= MOST_COUNTED ? said : estimate
}

/** What a call took. */
export function usageOf(
  said: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined },
  call: ModelCall,
  answer: string,
): Usage {
  return {
    inputTokens: counted(said.inputTokens, questionTokens(call)),
    outputTokens: counted(said.outputTokens, estimateTokens(answer)),
  }
}
