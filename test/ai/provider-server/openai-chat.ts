import { z } from 'zod'
import { openAiError } from './openai-responses.ts'
import type { AskedModel, Protocol, SpelledTurn } from './turns.ts'

const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.object({ text: z.string().optional() })), z.null()]).optional(),
})
const chat = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(message),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
  response_format: z.looseObject({ json_schema: z.looseObject({ schema: z.unknown() }).optional() }).optional(),
})
const images = z.object({ model: z.string(), prompt: z.string() })
const embeddings = z.object({ model: z.string(), input: z.array(z.string()) })

const FINISH = { stop: 'stop', length: 'length', refused: 'content_filter', 'tool-calls': 'tool_calls' } as const

/** What is asked where nothing but the kind, the model and a prompt matter. */
const plain = {
  isStream: false,
  instructions: '',
  prompt: '',
  tools: [],
  toolResults: [],
  schema: undefined,
  texts: [],
}

/** OpenAI's older routes, which compatible servers have: `POST /v1/chat/completions`, `/images/generations`, `/embeddings`. */
export const openAiChat: Protocol = {
  read(path, body) {
    if (path === '/v1/images/generations') {
      const { model, prompt } = images.parse(body)
      return { ...plain, kind: 'image', model, prompt }
    }
    if (path === '/v1/embeddings') {
      const { model, input } = embeddings.parse(body)
      return { ...plain, kind: 'embeddings', model, texts: input }
    }
    return path === '/v1/chat/completions' ? readChat(body) : undefined
  },
  answer: (turn, { model }) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', ...said(turn) }, finish_reason: FINISH[turn.finish] }],
    ...usage(turn),
  }),
  events(turn, pieces, { model }) {
    const chunk = (delta: unknown, finish: string | null = null) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    const calls = toolCalls(turn).map((call, index) => ({ index, ...call }))
    return [
      { data: chunk({ role: 'assistant', content: '' }) },
      ...pieces.map((content, piece) => ({ data: chunk({ content }), piece })),
      ...(calls.length === 0 ? [] : [{ data: chunk({ tool_calls: calls }) }]),
      { data: { ...chunk({}, FINISH[turn.finish]), ...usage(turn) } },
      { data: '[DONE]' },
    ]
  },
  image: (bytes) => ({
    created: 1_700_000_000,
    data: [{ b64_json: Buffer.from(bytes).toString('base64') }],
    usage: { input_tokens: 10, output_tokens: 1000, total_tokens: 1010 },
  }),
  vectors: (vectors, { model, texts }) => ({
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model,
    usage: { prompt_tokens: texts.length * 10, total_tokens: texts.length * 10 },
  }),
  error: openAiError,
}

function readChat(body: unknown): ReturnType<Protocol['read']> {
  const { model, stream, messages, tools, response_format } = chat.parse(body)
  const words = (...roles: string[]): string[] =>
    messages.filter(({ role }) => roles.includes(role)).flatMap(({ content }) => textsOf(content))
  return {
    kind: 'text',
    model,
    isStream: stream,
    instructions: words('system', 'developer').join('\n'),
    prompt: words('user', 'assistant').join('\n'),
    tools: tools.map((tool) => tool.function.name),
    toolResults: words('tool'),
    schema: response_format?.json_schema?.schema,
    texts: [],
  } satisfies Partial<AskedModel>
}

function textsOf(content: z.output<typeof message>['content']): string[] {
  if (content === undefined || content === null) return []
  return typeof content === 'string' ? [content] : content.map(({ text }) => text ?? '')
}

function said(turn: SpelledTurn) {
  const calls = toolCalls(turn)
  return { content: turn.text === '' ? null : turn.text, ...(calls.length > 0 && { tool_calls: calls }) }
}

function toolCalls({ calls }: SpelledTurn) {
  return calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
}

function usage({ usage: tokens }: SpelledTurn) {
  if (!tokens) return {}
  const { input, output } = tokens
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } }
}
