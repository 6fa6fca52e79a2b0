import { type Logger, RestError } from 'pentad'
import type { AiSettings } from '../settings.ts'
import { askEmbeddings, askImage, askObject, askText, type Question } from './calls.ts'
import { chooseModel, type ModelKind } from './choice.ts'
import { noImageModel, noProvider } from './errors.ts'
import { describeFailure, providerFailure } from './failures.ts'
import { loadSdk } from './sdk.ts'
import type { TokenBudget } from './token-budget.ts'
import { estimateTokens, IMAGE_TOKENS, questionUsage } from './tokens.ts'
import { runTools } from './tool-loop.ts'
import type { ModelCall, ModelCaller, ModelChoice, Providers, TextAnswer, Usage } from './types.ts'

/** Timeout factor for images. */
const IMAGE_PATIENCE = 2

/** Calls models: selects the model, and applies token budgets, timeouts and error messages. */
export interface ModelClient extends Omit<Providers, 'choices'> {
  /** @param choice overrides the model in the settings */
  text(call: ModelCall, choice?: ModelChoice): Promise<TextAnswer>
}

export function createModelClient(parts: {
  readonly budget: TokenBudget
  readonly settings: () => AiSettings
  readonly fetch: typeof fetch
  readonly log: Logger
}): ModelClient {
  const { budget, settings, fetch, log } = parts

  function chosen(kind: ModelKind): ModelChoice {
    const { textModel, embeddingModel } = settings()
    const choice = chooseModel(kind, settings())
    if (choice) return choice
    throw kind === 'image' ? noImageModel() : noProvider(kind === 'text' ? textModel : embeddingModel)
  }

  const milliseconds = () => settings().timeoutSeconds * 1000
  const connection = () => ({ settings: settings(), fetch })

  /** Converts errors of providers. If the client disconnected, its abort reason is thrown. */
  async function withApiErrors<Result>(
    caller: ModelCaller,
    choice: ModelChoice,
    ask: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await ask()
    } catch (error) {
      caller.signal?.throwIfAborted()
      if (error instanceof RestError) throw error
      const sdk = await loadSdk(choice.provider)
      log.warn({ ...choice, operation: caller.operation, ...describeFailure(sdk, error) }, 'model request failed')
      throw providerFailure(sdk, error, choice)
    }
  }

  /** One call within timeout and budget. If it fails, the input is counted, because it may have been billed. */
  async function once<Call extends ModelCaller, Result extends { readonly usage: Usage }>(
    { call, choice, expected, limit }: { call: Call; choice: ModelChoice; expected: Usage; limit: number },
    ask: (question: Question<Call>) => Promise<Result>,
  ): Promise<Result> {
    const account = await budget.open(call, expected.inputTokens + expected.outputTokens)
    let usage: Usage = { inputTokens: expected.inputTokens, outputTokens: 0 }
    try {
      const signals = [AbortSignal.timeout(limit), ...(call.signal ? [call.signal] : [])]
      const question = { call, choice, connection: connection(), signal: AbortSignal.any(signals) }
      const result = await withApiErrors(call, choice, () => ask(question))
      usage = result.usage
      return result
    } finally {
      await account.close(usage)
    }
  }

  return {
    text: async (call, choice = chosen('text')) =>
      once({ call, choice, expected: questionUsage(call), limit: milliseconds() }, askText),
    object: async (call) =>
      once({ call, choice: chosen('text'), expected: questionUsage(call), limit: milliseconds() }, (question) =>
        askObject(question),
      ),
    async tools(call) {
      const choice = chosen('text')
      const { inputTokens, outputTokens } = questionUsage(call)
      return withApiErrors(call, choice, () =>
        runTools({
          ...{ call, choice, connection: connection(), signal: call.signal, stepMilliseconds: milliseconds(), log },
          openStep: () => budget.open(call, inputTokens + outputTokens),
        }),
      )
    },
    async image(call) {
      const expected = { inputTokens: estimateTokens(call.prompt), outputTokens: IMAGE_TOKENS }
      const limit = milliseconds() * IMAGE_PATIENCE
      return once({ call, choice: chosen('image'), expected, limit }, askImage)
    },
    async embeddings(call) {
      const choice = chosen('embedding')
      const expected = { inputTokens: estimateTokens(...call.texts), outputTokens: 0 }
      const { vectors } = await once({ call, choice, expected, limit: milliseconds() }, askEmbeddings)
      return { vectors, model: choice }
    },
  }
}
