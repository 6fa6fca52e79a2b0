/** Single model calls with the SDK. */
import { z } from 'zod'
import { contentRejected, unusableResponse } from './errors.ts'
import { type Connection, embeddingModel, imageModel, jsonModel, languageModel } from './models.ts'
import { loadSdk } from './sdk.ts'
import { counted, estimateTokens, IMAGE_TOKENS, outputTokens, usageOf } from './tokens.ts'
import type { GeneratedImage, ModelCall, ModelChoice, ObjectCall, TextAnswer, Usage } from './types.ts'

/** A call with its model and connection. Throws errors of the SDK or a RestError. */
export interface Question<Call> {
  readonly call: Call
  readonly choice: ModelChoice
  readonly connection: Connection
  /** Aborted when the client disconnects or on timeout. */
  readonly signal: AbortSignal
}

/** Common options of calls to language models. The SDK does not retry: `createRetryingFetch` does. */
export function commonOptions({ call, connection, signal }: Question<ModelCall>) {
  return {
    instructions: call.instructions,
    messages: call.messages.map((message) => ({ ...message })),
    temperature: connection.settings.temperature,
    maxOutputTokens: outputTokens(call),
    maxRetries: 0,
    abortSignal: signal,
    // OpenAI does not store the request.
    providerOptions: { openai: { store: false } },
  }
}

export async function askText(question: Question<ModelCall>): Promise<TextAnswer> {
  const { choice, connection, call } = question
  const { generateText } = await loadSdk(choice.provider)
  const { text, finishReason, usage } = await generateText({
    ...commonOptions(question),
    model: await languageModel(choice, connection),
  })
  if (finishReason === 'content-filter') throw contentRejected(choice)
  if (text.trim() === '') throw unusableResponse(choice)
  return { text, truncated: finishReason === 'length', usage: usageOf(usage, call, text) }
}

export async function askObject<Result>(
  question: Question<ObjectCall<Result>>,
): Promise<{ readonly object: Result; readonly usage: Usage }> {
  const { choice, connection, call } = question
  const sdk = await loadSdk(choice.provider)
  try {
    const answer = await sdk.generateText({
      ...commonOptions({ ...question, call: { ...call, instructions: jsonInstructions(question) } }),
      model: await jsonModel(sdk, choice, connection),
      output: sdk.Output.object({ schema: call.schema }),
    })
    if (answer.finishReason === 'content-filter') throw contentRejected(choice)
    return { object: answer.output, usage: usageOf(answer.usage, call, answer.text) }
  } catch (error) {
    if (!sdk.NoObjectGeneratedError.isInstance(error)) throw error
    if (error.finishReason === 'content-filter') throw contentRejected(choice)
    const { text = '', usage = { inputTokens: undefined, outputTokens: undefined } } = error
    const object = call.fromText?.(text)
    if (object === undefined) throw error
    return { object, usage: usageOf(usage, call, text) }
  }
}

/** Compatible servers may ignore a schema in the request, so it is added to the instructions. */
function jsonInstructions<Result>({ call, choice }: Question<ObjectCall<Result>>): string {
  if (choice.provider !== 'compatible') return call.instructions
  const { $schema, ...schema } = z.toJSONSchema(call.schema, { io: 'input' })
  return `${call.instructions}\nAnswer only with a JSON object that matches this schema: ${JSON.stringify(schema)}`
}

export async function askImage(
  question: Question<{ readonly prompt: string; readonly size?: string | undefined }>,
): Promise<GeneratedImage & { readonly usage: Usage }> {
  const { choice, connection, call, signal } = question
  const { generateImage } = await loadSdk(choice.provider)
  const { image, usage } = await generateImage({
    model: await imageModel(choice, connection),
    prompt: call.prompt,
    // Gemini expects aspect ratios, other providers sizes.
    ...(choice.provider === 'google' ? shapeOption(call.size) : sizeOption(call.size)),
    maxRetries: 0,
    abortSignal: signal,
  })
  return {
    bytes: image.uint8Array,
    mediaType: image.mediaType,
    usage: {
      inputTokens: counted(usage.inputTokens, estimateTokens(call.prompt)),
      outputTokens: counted(usage.outputTokens, IMAGE_TOKENS),
    },
  }
}

export async function askEmbeddings(
  question: Question<{ readonly texts: readonly string[] }>,
): Promise<{ readonly vectors: number[][]; readonly usage: Usage }> {
  const { choice, connection, call, signal } = question
  const { embedMany } = await loadSdk(choice.provider)
  const { embeddings, usage } = await embedMany({
    model: await embeddingModel(choice, connection),
    values: [...call.texts],
    maxParallelCalls: 2,
    maxRetries: 0,
    abortSignal: signal,
  })
  const inputTokens = counted(usage.tokens, estimateTokens(...call.texts))
  return { vectors: embeddings.map(ofLengthOne), usage: { inputTokens, outputTokens: 0 } }
}

function dimensions(size: string | undefined): readonly [number, number] | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  return width === undefined || height === undefined ? undefined : [Number(width), Number(height)]
}

function sizeOption(size: string | undefined) {
  const [width, height] = dimensions(size) ?? []
  return width !== undefined && height !== undefined ? { size: `${width}x${height}` as const } : {}
}

/** The closest aspect ratio that Gemini supports. */
function shapeOption(size: string | undefined) {
  const [width, height] = dimensions(size) ?? []
  if (width === undefined || height === undefined) return {}
  const shape = width / height
  const shapes = ['1:1', '3:2', '2:3', '16:9', '9:16'] as const
  const ratio = (name: (typeof shapes)[number]) => {
    const [across = 1, up = 1] = name.split(':').map(Number)
    return Math.abs(Math.log(across / up / shape))
  }
  return { aspectRatio: shapes.reduce((best, next) => (ratio(next) < ratio(best) ? next : best)) }
}

function ofLengthOne(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector)
  return length > 0 ? vector.map((value) => value / length) : [...vector]
}
