import { z } from 'zod'
import type { Protocol, ServerEvent, SpelledTurn } from './turns.ts'

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.unknown().optional(),
})
const blocks = z.union([z.string(), z.array(block)])
const request = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  system: blocks.default([]),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: blocks })),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.unknown() })).default([]),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
  output_config: z.object({ format: z.looseObject({ schema: z.unknown() }).optional() }).optional(),
})

const FINISH = { stop: 'end_turn', length: 'max_tokens', refused: 'refusal', 'tool-calls': 'tool_use' } as const

/** Anthropic's Messages: `POST /v1/messages`. */
export const anthropicMessages: Protocol = {
  read(path, body) {
    if (path !== '/v1/messages') return undefined
    const { model, stream, system, messages, tools, tool_choice, output_config } = request.parse(body)
    const said = messages.flatMap(({ content }) => listed(content))
    return {
      kind: 'text',
      model,
      isStream: stream,
      instructions: texts(listed(system)).join('\n'),
      prompt: texts(said).join('\n'),
      tools: tool_choice?.type === 'none' ? [] : tools.map(({ name }) => name),
      toolResults: said.filter(({ type }) => type === 'tool_result').map(({ content }) => resultText(content)),
      schema: output_config?.format?.schema,
      texts: [],
    }
  },
  answer: (turn, { model }) => ({
    ...head(turn, model),
    content: [
      ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
      ...turn.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    ],
    stop_reason: FINISH[turn.finish],
    stop_sequence: null,
  }),
  events(turn, pieces, { model }) {
    const texted: ServerEvent[] = [
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...pieces.map((text, piece) => ({
        ...event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
        piece,
      })),
      event('content_block_stop', { index: 0 }),
    ]
    const called = turn.calls.flatMap(({ id, name, input }, at): ServerEvent[] => {
      const index = at + 1
      const json = typeof input === 'string' ? input : JSON.stringify(input)
      return [
        event('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } }),
        event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: json } }),
        event('content_block_stop', { index }),
      ]
    })
    return [
      event('message_start', { message: { ...head(turn, model), content: [], stop_reason: null } }),
      ...(pieces.length === 0 ? [] : texted),
      ...called,
      event('message_delta', {
        delta: { stop_reason: FINISH[turn.finish], stop_sequence: null },
        usage: { output_tokens: turn.usage?.output ?? 0 },
      }),
      event('message_stop', {}),
    ]
  },
  image: () => undefined,
  vectors: () => undefined,
  error(status, message) {
    const types: Readonly<Record<number, string>> = { 401: 'authentication_error', 429: 'rate_limit_error' }
    return { type: 'error', error: { type: types[status] ?? 'api_error', message } }
  },
}

function event(type: string, rest: Readonly<Record<string, unknown>>): ServerEvent {
  return { event: type, data: { type, ...rest } }
}

/** The protocol has no answer without usage. */
function head({ usage }: SpelledTurn, model: string) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 },
  }
}

function listed(content: z.output<typeof blocks>): z.output<typeof block>[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function texts(content: readonly z.output<typeof block>[]): string[] {
  return content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
}

function resultText(content: unknown): string {
  return texts(listed(blocks.parse(content))).join('\n')
}
