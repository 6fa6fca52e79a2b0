import type { ModelCall, Usage } from './types.ts'

/** Tokens of answer at most, where a caller does not say: models that think before they answer need room for it. */
export const OUTPUT_TOKENS = 8000

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

/** What a call may take. */
export function questionUsage(call: ModelCall): Usage {
  return { inputTokens: questionTokens(call), outputTokens: call.maxOutputTokens ?? OUTPUT_TOKENS }
}

/** What a call took: as the provider says, estimated where it does not, so that the limit holds with every provider. */
export function usageOf(
  said: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined },
  call: ModelCall,
  answer: string,
): Usage {
  return {
    inputTokens: said.inputTokens ?? questionTokens(call),
    outputTokens: said.outputTokens ?? estimateTokens(answer),
  }
}
