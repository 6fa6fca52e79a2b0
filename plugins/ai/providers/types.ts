import type { z } from 'zod'

export type ProviderId = 'openai' | 'anthropic' | 'google' | 'compatible'

/** A model of a connected provider. */
export interface ModelChoice {
  readonly provider: ProviderId
  /** Model ID at the provider. */
  readonly model: string
}

/** Token usage of a call; estimated if the provider does not report it. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The caller, for token budgets. */
export interface ModelCaller {
  /** Purpose, for the log: `generate-title`, `copilot`, `helpdesk`. */
  readonly operation: string
  /** ID of the user; `null` for visitors, who share one budget. */
  readonly userId: number | null
  /** Aborts the call: the signal of the request, aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** A prompt. Text of the site and of visitors goes into the messages as data, never into `instructions`. */
export interface ModelCall extends ModelCaller {
  readonly instructions: string
  /** Oldest first; the last one is from the user. */
  readonly messages: readonly ChatMessage[]
  /** Maximum output tokens per step, without reasoning. */
  readonly maxOutputTokens?: number | undefined
}

export interface TextAnswer {
  readonly text: string
  /** Whether the model stopped before the reply was complete. */
  readonly truncated: boolean
  readonly usage: Usage
}

export interface ObjectCall<Result> extends ModelCall {
  /** Schema of the answer; its descriptions are part of the prompt. Optional keys must be `nullable` instead. */
  readonly schema: z.ZodType<Result>
  /** Repairs an invalid answer of a small model; `undefined` if impossible. */
  readonly fromText?: ((text: string) => Result | undefined) | undefined
}

/** A tool for the model. */
export interface ModelTool {
  /** Any name; characters that a protocol does not allow are replaced. */
  readonly name: string
  readonly description: string
  /** JSON Schema of type `object`. */
  readonly inputSchema: z.core.JSONSchema.JSONSchema
  /**
   * Receives unvalidated input. Returns the result for the model; a RestError is returned as code and message. Other
   * errors are logged and returned as a failure.
   */
  execute(input: unknown, options: { readonly signal: AbortSignal }): Promise<string>
}

export interface ToolCall extends ModelCall {
  readonly tools: readonly ModelTool[]
  /** Maximum number of steps, from 1. The last one allows no tool calls. */
  readonly maxSteps: number
  /** Called with the text of the current step so far. */
  readonly onText?: ((text: string) => void) | undefined
  /** Called before each step, from 1. */
  readonly onStep?: ((step: number) => void) | undefined
}

/** The text is empty if the model returned none, or wanted to continue with tools. */
export interface ToolAnswer extends TextAnswer {
  /** Number of steps. */
  readonly steps: number
  /** The step limit was reached. */
  readonly atLimit: boolean
}

export interface GeneratedImage {
  readonly bytes: Uint8Array
  /** MIME type reported by the provider. */
  readonly mediaType: string
}

/**
 * The models of the connected providers. Every call counts toward the budget of its caller. Errors are a RestError: 409
 * `ai_no_provider` or `ai_no_image_model`, 402 `ai_limit_reached`, 502 `ai_provider_auth` or `ai_provider_error`, 429
 * `rest_too_many_requests`, 422 `ai_content_refused`.
 */
export interface Providers {
  /** The models in use; `undefined` if no connected provider has one. */
  choices(): {
    readonly text: ModelChoice | undefined
    readonly image: ModelChoice | undefined
    readonly embedding: ModelChoice | undefined
  }
  text(call: ModelCall): Promise<TextAnswer>
  /** An answer that matches a schema. */
  object<Result>(call: ObjectCall<Result>): Promise<{ readonly object: Result; readonly usage: Usage }>
  /** A tool loop with streamed text. */
  tools(call: ToolCall): Promise<ToolAnswer>
  /** @param call.size `1024x1024` */
  image(call: ModelCaller & { readonly prompt: string; readonly size?: string | undefined }): Promise<GeneratedImage>
  /** Normalized embeddings of texts, in order. @throws RestError 409 `ai_no_provider` if no provider has embeddings */
  embeddings(call: ModelCaller & { readonly texts: readonly string[] }): Promise<{
    readonly vectors: readonly (readonly number[])[]
    /** Vectors of different models are not comparable. */
    readonly model: ModelChoice
  }>
}
