import type { ModelCall, Usage } from './types.ts'

/** Default maximum number of output tokens. */
const ANSWER_TOKENS = 6000

/** Additional tokens for reasoning models: providers count reasoning as output. */
const THINKING_TOKENS = 4000

/** Approximate tokens of an image. */
export const IMAGE_TOKENS = 5000

/** Average number of characters per token in European languages. */
const LETTERS_PER_TOKEN = 4

/** Estimated tokens of texts. */
export function estimateTokens(...texts: readonly string[]): number {
  return texts.reduce((tokens, text) => tokens + Math.ceil(text.length / LETTERS_PER_TOKEN), 0)
}

/** Estimated input tokens of a call. */
export function questionTokens({ instructions, messages }: ModelCall): number {
  return estimateTokens(instructions, ...messages.map(({ content }) => content))
}

/** Maximum number of output tokens, including reasoning. */
export function outputTokens({ maxOutputTokens = ANSWER_TOKENS }: ModelCall): number {
  return maxOutputTokens + THINKING_TOKENS
}

/** Maximum usage of a call. */
export function questionUsage(call: ModelCall): Usage {
  return { inputTokens: questionTokens(call), outputTokens: outputTokens(call) }
}

/** Upper bound for plausible counts: a server that reports more is wrong, and would distort all totals. */
const MOST_COUNTED = 100_000_000

/** Usage as reported by the provider, otherwise estimated, so that limits work with every provider. */
export function counted(said: number | undefined, estimate: number): number {
  return said !== undefined && Number.isInteger(said) && said > 0 && said <= MOST_COUNTED ? said : estimate
}

/** Actual usage of a call. */
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
