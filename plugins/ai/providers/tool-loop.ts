/** The tool loop of a model with the SDK. */
import type { ToolSet } from 'ai'
import { type Logger, RestError } from 'pentad'
import { commonOptions, type Question } from './calls.ts'
import { contentRejected, unusableResponse } from './errors.ts'
import { languageModel } from './models.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import type { OpenCall } from './token-budget.ts'
import { questionTokens, usageOf } from './tokens.ts'
import type { ModelChoice, ModelTool, ToolAnswer, ToolCall, Usage } from './types.ts'

/** Average maximum of tool calls per step; further calls return an error. */
const CALLS_PER_STEP = 10

/** Finish reasons of an incomplete last step: length limit or connection lost. */
const UNFINISHED: ReadonlySet<string> = new Set(['length', 'interrupted'])

/**
 * Calls the model until it answers without tool calls, at most `maxSteps` times. The last step allows none.
 * @param question.openStep reserves tokens for a step; throws to end the loop
 * @param question.stepMilliseconds timeout of a step
 */
export async function runTools(
  question: Omit<Question<ToolCall>, 'signal'> & {
    readonly signal: AbortSignal | undefined
    readonly openStep: () => Promise<OpenCall>
    readonly stepMilliseconds: number
    readonly log: Logger
  },
): Promise<ToolAnswer> {
  const { call, choice, connection, openStep } = question
  const signal = question.signal ?? new AbortController().signal
  // A promise, so that a step that is still being opened is closed too.
  let account: Promise<OpenCall> | undefined
  let steps = 0
  let text = ''
  let finish = ''
  let atLimit = false
  let used: Usage = { inputTokens: 0, outputTokens: 0 }
  const sdk = await loadSdk(choice.provider)
  const { stream } = sdk.streamText({
    ...commonOptions({ ...question, signal }),
    model: await languageModel(choice, connection),
    tools: toolSet(sdk, call, signal, question.log),
    toolCallConcurrency: 1,
    stopWhen: sdk.isStepCount(call.maxSteps),
    timeout: { stepMs: question.stepMilliseconds },
    async prepareStep({ stepNumber }) {
      // The client may have disconnected while the previous step was recorded.
      signal.throwIfAborted()
      account = openStep()
      await account
      steps = stepNumber + 1
      call.onStep?.(steps)
      return steps === call.maxSteps ? withoutTools(choice) : {}
    },
    // Closed before the next step starts, however far the stream below is read.
    async onStepEnd(step) {
      const usage = usageOf(step.usage, call, step.text)
      used = { inputTokens: used.inputTokens + usage.inputTokens, outputTokens: used.outputTokens + usage.outputTokens }
      const closing = account
      account = undefined
      await (await closing)?.close(usage)
    },
    // Otherwise the SDK writes errors to the console.
    onError: () => {},
  })
  try {
    for await (const part of stream) {
      if (part.type === 'error') {
        // The model called a tool in its last step.
        if (!sdk.ToolChoiceViolationError.isInstance(part.error)) throw part.error
        atLimit = true
      }
      if (part.type === 'abort') throw signal.reason ?? new DOMException('The step timed out.', 'TimeoutError')
      if (part.type === 'start-step') text = ''
      if (part.type === 'text-delta') {
        text += part.text
        call.onText?.(text)
      }
      if (part.type === 'finish-step') finish = part.finishReason
    }
  } finally {
    // Aborted during a step: the input is billed.
    const left = await account?.catch(() => undefined)
    await left?.close({ inputTokens: questionTokens(call), outputTokens: 0 })
  }
  if (finish === 'content-filter') throw contentRejected(choice)
  if (finish === 'tool-calls') atLimit = true
  if (finish === 'error' && !atLimit) throw unusableResponse(choice)
  return { text, steps, atLimit, truncated: atLimit || UNFINISHED.has(finish), usage: used }
}

/**
 * Anthropic rejects past tool calls without their definitions, so tools stay defined but must not be called. Compatible
 * servers such as Ollama do not support that option: tools are removed there.
 */
function withoutTools({ provider }: ModelChoice): { toolChoice: 'none' } | { activeTools: [] } {
  return provider === 'compatible' ? { activeTools: [] } : { toolChoice: 'none' }
}

/** Tools for the SDK, with names that every protocol allows. */
function toolSet({ dynamicTool, jsonSchema }: Sdk, call: ToolCall, signal: AbortSignal, log: Logger): ToolSet {
  let left = call.maxSteps * CALLS_PER_STEP
  const tools: ToolSet = {}
  for (const tool of call.tools) {
    tools[wireName(tool.name)] = dynamicTool({
      description: tool.description,
      inputSchema: jsonSchema(tool.inputSchema),
      async execute(input) {
        if (left-- <= 0) return 'Error: too many calls.'
        return execute(tool, input, signal, log)
      },
    })
  }
  return tools
}

async function execute(tool: ModelTool, input: unknown, signal: AbortSignal, log: Logger): Promise<string> {
  try {
    return await tool.execute(input, { signal })
  } catch (error) {
    if (error instanceof RestError) return `Error: ${error.code}. ${error.message}`
    log.error({ err: error, tool: tool.name }, 'tool call failed')
    return 'Error: internal_error. The tool failed.'
  }
}

/**
 * OpenAI allows letters, digits, `_` and `-`, at most 64 characters: `content/read-post` becomes `content__read-post`.
 */
function wireName(name: string): string {
  return name
    .replaceAll('/', '__')
    .replaceAll(/[^\w-]/g, '_')
    .slice(0, 64)
}
