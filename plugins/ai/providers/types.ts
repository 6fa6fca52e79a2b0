import type { z } from 'zod'

export type ProviderId = 'openai' | 'anthropic' | 'google' | 'compatible'

/** A model of a provider that the owner has connected. */
export interface ModelChoice {
  readonly provider: ProviderId
  /** As the provider calls it. */
  readonly model: string
}

/** Tokens that a call took; estimated where the provider does not say. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** On whose account a model is asked. */
export interface ModelCaller {
  /** What for, in the log: `generate-title`, `copilot`, `helpdesk`. */
  readonly operation: string
  /** Who asks; `null` is a visitor. All visitors share one account. */
  readonly userId: number | null
  /** Gives the call up: the signal of the request, which fires when the client leaves. */
  readonly signal?: AbortSignal | undefined
}

export interface ChatMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** What a model is asked. Text of the site and of visitors goes among the messages as data, never into `instructions`. */
export interface ModelCall extends ModelCaller {
  readonly instructions: string
  /** Oldest first; the last one is the user's. */
  readonly messages: readonly ChatMessage[]
  /** Tokens of answer, for each step; what a model takes to think comes on top. */
  readonly maxOutputTokens?: number | undefined
}

export interface TextAnswer {
  readonly text: string
  /** The model had to stop before its end. */
  readonly truncated: boolean
  readonly usage: Usage
}

export interface ObjectCall<Result> extends ModelCall {
  /** What the answer is held against; descriptions in it are read by the model. Optional keys are `nullable` instead. */
  readonly schema: z.ZodType<Result>
  /** What to make of an answer that does not fit, as small models give them; `undefined` if nothing. */
  readonly fromText?: ((text: string) => Result | undefined) | undefined
}

/** Something a model may do in a tool loop. */
export interface ModelTool {
  /** Any text; what a provider's protocol can't spell is replaced on the way. */
  readonly name: string
  readonly description: string
  /** Of type `object`. */
  readonly inputSchema: z.core.JSONSchema.JSONSchema
  /**
   * Gets what the model sent, valid or not. What it returns is told to the model, a RestError as its code and message.
   * Any other error is logged and told as a failure.
   */
  execute(input: unknown, options: { readonly signal: AbortSignal }): Promise<string>
}

export interface ToolCall extends ModelCall {
  readonly tools: readonly ModelTool[]
  /** Times the model is asked at most, from 1. At the last one it may call no tool and must answer. */
  readonly maxSteps: number
  /** Called with all the text of the present step so far, each time there is more. */
  readonly onText?: ((text: string) => void) | undefined
  /** Called before the model is asked; steps count from 1. */
  readonly onStep?: ((step: number) => void) | undefined
}

/** Its text is empty where the model said nothing in the end, or wanted to go on with tools. */
export interface ToolAnswer extends TextAnswer {
  /** Times the model was asked. */
  readonly steps: number
  /** Its steps were used up, and it wanted to go on. */
  readonly atLimit: boolean
}

export interface GeneratedImage {
  readonly bytes: Uint8Array
  /** What the provider says it is. */
  readonly mediaType: string
}

/**
 * The models of the connected providers. Every call counts its tokens on its caller's account, and ends with a RestError
 * in words of ours: 409 `ai_no_provider` or `ai_no_image_model`, 402 `ai_limit_reached`, 502 `ai_provider_auth` or
 * `ai_provider_error`, 429 `rest_too_many_requests`, 422 `ai_content_refused` (contract 7).
 */
export interface Providers {
  /** The models that calls go to now; `undefined` where no connected provider has one. */
  choices(): {
    readonly text: ModelChoice | undefined
    readonly image: ModelChoice | undefined
    readonly embedding: ModelChoice | undefined
  }
  text(call: ModelCall): Promise<TextAnswer>
  /** An answer that fits a schema. */
  object<Result>(call: ObjectCall<Result>): Promise<{ readonly object: Result; readonly usage: Usage }>
  /** A model that works with tools, in steps, its text as it comes. */
  tools(call: ToolCall): Promise<ToolAnswer>
  /** @param call.size `1024x1024` */
  image(call: ModelCaller & { readonly prompt: string; readonly size?: string | undefined }): Promise<GeneratedImage>
  /** Vectors of texts, in their order, each of length 1. @throws RestError 409 `ai_no_provider` if none has embeddings */
  embeddings(call: ModelCaller & { readonly texts: readonly string[] }): Promise<{
    readonly vectors: readonly (readonly number[])[]
    /** Vectors of different models can't be compared. */
    readonly model: ModelChoice
  }>
}
