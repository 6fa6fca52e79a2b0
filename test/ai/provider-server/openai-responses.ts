import { z } from 'zod'
import type { Protocol, ServerEvent, SpelledTurn } from './turns.ts'

const part = z.object({ text: z.string().optional() })
const item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.union([z.string(), z.array(part)]).optional(),
  output: z.unknown().optional(),
})
const request = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  input: z.array(item),
  tools: z.array(z.object({ name: z.string() })).default([]),
  tool_choice: z.unknown().optional(),
  text: z.object({ format: z.looseObject({ schema: z.unknown() }).optional() }).optional(),
})

/** OpenAI's Responses: `POST /v1/responses`. */
export const openAiResponses: Protocol = {
  read(path, body) {
    if (path !== '/v1/responses') return undefined
    const { model, stream, input, tools, tool_choice, text } = request.parse(body)
    const words = (roles: readonly string[]) =>
      input.filter(({ role }) => role !== undefined && roles.includes(role)).flatMap(({ content }) => textsOf(content))
    return {
      kind: 'text',
      model,
      isStream: stream,
      instructions: words(['system', 'developer']).join('\n'),
      prompt: words(['user', 'assistant']).join('\n'),
      tools: tool_choice === 'none' ? [] : tools.map(({ name }) => name),
      toolResults: input.filter(({ type }) => type === 'function_call_output').map(({ output }) => String(output)),
      schema: text?.format?.schema,
      texts: [],
    }
  },
  answer: (turn, { model }) => ({ ...response(turn, model), output: output(turn) }),
  events(turn, pieces, { model }) {
    const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
    const isRefusal = turn.finish === 'refused'
    const kind = isRefusal ? 'response.refusal.delta' : 'response.output_text.delta'
    const said = pieces.map((delta, piece) => ({
      data: { type: kind, item_id: 'msg_1', output_index: 0, delta },
      piece,
    }))
    const items = output(turn).filter(({ type }) => type !== 'message')
    return [
      { data: { type: 'response.created', response: response(turn, model) } },
      ...(said.length === 0
        ? []
        : [
            { data: { type: 'response.output_item.added', output_index: 0, item: message } },
            ...said,
            { data: { type: 'response.output_item.done', output_index: 0, item: message } },
          ]),
      ...items.flatMap((done, index): ServerEvent[] => [
        { data: { type: 'response.output_item.added', output_index: index + 1, item: { ...done, arguments: '' } } },
        { data: { type: 'response.output_item.done', output_index: index + 1, item: done } },
      ]),
      {
        data: {
          type: turn.finish === 'length' ? 'response.incomplete' : 'response.completed',
          response: response(turn, model),
        },
      },
    ]
  },
  image: () => undefined,
  vectors: () => undefined,
  error: openAiError,
}

/** `{ error: { message, type, code } }`, what all protocols of this family answer. */
export function openAiError(status: number, message: string): unknown {
  const type = status === 401 ? 'invalid_request_error' : status === 429 ? 'rate_limit_error' : 'server_error'
  return { error: { message, type, param: null, code: status === 401 ? 'invalid_api_key' : null } }
}

function textsOf(content: string | readonly { readonly text?: string | undefined }[] | undefined): string[] {
  if (content === undefined) return []
  return typeof content === 'string' ? [content] : content.map(({ text }) => text ?? '')
}

function response({ usage, finish }: SpelledTurn, model: string) {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    model,
    status: finish === 'length' ? 'incomplete' : 'completed',
    incomplete_details: finish === 'length' ? { reason: 'max_output_tokens' } : null,
    usage: usage && {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  }
}

function output({ text, calls, finish }: SpelledTurn) {
  const said =
    finish === 'refused' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] }
  return [
    ...(text === '' ? [] : [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [said] }]),
    ...calls.map(({ id, name, input }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
      status: 'completed',
    })),
  ]
}
