import { z } from 'zod'
import type { Protocol, SpelledTurn } from './turns.ts'

const part = z.looseObject({
  text: z.string().optional(),
  functionResponse: z.object({ response: z.looseObject({ content: z.unknown().optional() }) }).optional(),
})
const request = z.object({
  systemInstruction: z.object({ parts: z.array(part) }).optional(),
  contents: z.array(z.object({ parts: z.array(part) })),
  tools: z.array(z.object({ functionDeclarations: z.array(z.object({ name: z.string() })).default([]) })).default([]),
  toolConfig: z.object({ functionCallingConfig: z.object({ mode: z.string() }) }).optional(),
  generationConfig: z
    .looseObject({
      responseJsonSchema: z.unknown(),
      responseSchema: z.unknown(),
      responseModalities: z.array(z.string()),
    })
    .partial()
    .default({}),
})
const texts = z.object({ parts: z.array(z.object({ text: z.string() })) })
const oneEmbedding = z.object({ content: texts })
const embeddings = z.object({ requests: z.array(oneEmbedding) })

const PATH = /^\/v1beta\/models\/([^:]+):(\w+)$/
const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', refused: 'SAFETY', 'tool-calls': 'STOP' } as const

/** Gemini: `POST /v1beta/models/{model}:generateContent`, `:streamGenerateContent`, `:embedContent`, `:batchEmbedContents`. */
export const gemini: Protocol = {
  read(path, body) {
    const [, model = '', method] = PATH.exec(path) ?? []
    const asked = {
      model,
      isStream: false,
      instructions: '',
      prompt: '',
      tools: [],
      toolResults: [],
      schema: undefined,
    }
    if (method === 'embedContent')
      return { ...asked, kind: 'embeddings', texts: [textOf(oneEmbedding.parse(body).content)] }
    if (method === 'batchEmbedContents') {
      const { requests } = embeddings.parse(body)
      return { ...asked, kind: 'embeddings', texts: requests.map(({ content }) => textOf(content)) }
    }
    if (method !== 'generateContent' && method !== 'streamGenerateContent') return undefined
    const { systemInstruction, contents, tools, toolConfig, generationConfig } = request.parse(body)
    const parts = contents.flatMap((content) => content.parts)
    const results = parts.flatMap(({ functionResponse }) =>
      functionResponse ? [functionResponse.response.content ?? functionResponse.response] : [],
    )
    return {
      kind: generationConfig.responseModalities?.includes('IMAGE') ? 'image' : 'text',
      model,
      isStream: method === 'streamGenerateContent',
      instructions: lines(systemInstruction?.parts ?? []),
      prompt: lines(parts),
      tools:
        toolConfig?.functionCallingConfig.mode === 'NONE'
          ? []
          : tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      toolResults: results.map((content) => (typeof content === 'string' ? content : JSON.stringify(content))),
      schema: generationConfig.responseJsonSchema ?? generationConfig.responseSchema,
      texts: [],
    }
  },
  answer: (turn) => candidate(turn, said(turn, turn.text === '' ? [] : [{ text: turn.text }])),
  events: (turn, pieces) => [
    ...pieces.map((text, piece) => ({
      data: { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] },
      piece,
    })),
    { data: candidate(turn, said(turn, [])) },
  ],
  image: (bytes, mimeType) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') } }] },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1000, totalTokenCount: 1010 },
  }),
  vectors: (vectors, { texts: asked }) =>
    asked.length === 1 && vectors[0]
      ? { embedding: { values: vectors[0] } }
      : { embeddings: vectors.map((values) => ({ values })) },
  error(status, message) {
    const names: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 429: 'RESOURCE_EXHAUSTED' }
    return { error: { code: status, message, status: names[status] ?? 'INTERNAL' } }
  },
}

function textOf({ parts }: z.output<typeof texts>): string {
  return parts.map(({ text }) => text).join('\n')
}

function lines(parts: readonly z.output<typeof part>[]): string {
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n')
}

function said({ calls }: SpelledTurn, text: readonly { readonly text: string }[]) {
  return [...text, ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } }))]
}

function candidate({ finish, usage }: SpelledTurn, parts: readonly unknown[]) {
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: FINISH[finish], index: 0 }],
    ...(usage && {
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
    }),
  }
}
