/**
 * A local server that speaks the wire protocols of the providers of models and says what a test tells it to. The real SDK
 * clients talk to it over HTTP: `site.respond(server.responder)` sends on to it whatever the site asks of the providers'
 * own addresses, so that nothing in the service knows that it is tested.
 *
 * ```ts
 * const models = await openProviderServer()
 * const site = await createTestHost({ extensions: [AI] })
 * site.respond(models.responder)
 * // Connect one: { openaiApiKey: 'k' }, { anthropicApiKey: 'k' }, { googleApiKey: 'k' },
 * // or { compatibleBaseUrl: COMPATIBLE_URL, textModel: 'compatible/llama' }.
 * models.script('Hello', { calls: [{ name: 'content__search', input: { query: 'salt' } }] }, { status: 429 })
 * models.asked[0]?.prompt // What the model was asked, whatever the protocol.
 * ```
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Responder } from 'pentad/testing'
import type { ProviderId } from '../../../plugins/ai/providers/types.ts'
import { anthropicMessages } from './anthropic.ts'
import { gemini } from './google.ts'
import { openAiChat } from './openai-chat.ts'
import { openAiResponses } from './openai-responses.ts'
import type { AskedModel, ModelTurn, Protocol, SpelledTurn, Turn } from './turns.ts'

export type { AskedModel, ModelTurn, Turn }

/** What to enter as `compatibleBaseUrl`. */
export const COMPATIBLE_URL = 'https://models.example/v1'

const PROVIDERS: Readonly<Record<string, ProviderId>> = {
  'api.openai.com': 'openai',
  'api.anthropic.com': 'anthropic',
  'generativelanguage.googleapis.com': 'google',
  'models.example': 'compatible',
}

const PROTOCOLS: Readonly<Record<ProviderId, readonly Protocol[]>> = {
  openai: [openAiResponses, openAiChat],
  anthropic: [anthropicMessages],
  google: [gemini],
  compatible: [openAiChat],
}

/** Pieces that a streamed text comes in. */
const PIECES = 4

export interface ProviderServer {
  readonly url: string
  /** For `site.respond`. Leaves requests to other hosts to other responders. */
  readonly responder: Responder
  /** Everything that was asked since the last `script`, in order. */
  readonly asked: readonly AskedModel[]
  /** Forgets what was asked and what was still to be said, and says this from now on, one turn a request. */
  script(...turns: readonly (Turn | ((asked: AskedModel) => Turn))[]): void
  /** As `script`, but the same for every request. */
  always(turn: Turn | ((asked: AskedModel) => Turn)): void
  close(): Promise<void>
}

export async function openProviderServer(): Promise<ProviderServer> {
  let next: (asked: AskedModel) => Turn = () => NOTHING_SCRIPTED
  const asked: AskedModel[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 599
      response.end(String(error))
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, provider = '', path = ''] = /^\/(\w+)([^?]*)/.exec(request.url ?? '') ?? []
    const id = Object.values(PROVIDERS).find((known) => known === provider)
    if (!id) throw new Error(`${provider} is no provider.`)
    const body = await json(request)
    for (const protocol of PROTOCOLS[id]) {
      const read = protocol.read(path, body)
      if (!read) continue
      const left = new AbortController()
      response.once('close', () => {
        if (!response.writableFinished) left.abort()
      })
      const question = { ...read, provider: id, headers: request.headers, body, left: left.signal }
      asked.push(question)
      return say(next(question), question, protocol, response)
    }
    throw new Error(`${provider} has no ${path}.`)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const url = `http://127.0.0.1:${address.port}`

  return {
    url,
    asked,
    responder({ method, url: wanted, headers, body, signal }) {
      const { hostname, pathname, search } = new URL(wanted)
      const provider = PROVIDERS[hostname]
      if (!provider) return undefined
      const sent = Object.entries(headers).filter(([name]) => name !== 'host' && name !== 'content-length')
      return fetch(`${url}/${provider}${pathname}${search}`, {
        method,
        headers: Object.fromEntries(sent),
        signal,
        body,
      })
    },
    script(...turns) {
      const waiting = [...turns]
      asked.length = 0
      next = (question) => {
        const turn = waiting.shift() ?? NOTHING_SCRIPTED
        return typeof turn === 'function' ? turn(question) : turn
      }
    },
    always(turn) {
      asked.length = 0
      next = (question) => (typeof turn === 'function' ? turn(question) : turn)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** No provider answers so: a test that asks more than it scripted fails on it. */
const NOTHING_SCRIPTED: Turn = { status: 400, message: 'The test scripted no answer to this request.' }

async function json(request: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : JSON.parse(text)
}

async function say(turn: Turn, asked: AskedModel, protocol: Protocol, response: ServerResponse): Promise<void> {
  if (typeof turn === 'object') {
    if ('hang' in turn) return
    if ('status' in turn) {
      const { status, message = 'It does not work.', headers = {} } = turn
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
      response.end(JSON.stringify(protocol.error(status, message)))
      return
    }
    if ('raw' in turn) {
      response.writeHead(200, { 'Content-Type': asked.isStream ? 'text/event-stream' : 'application/json' })
      response.end(turn.raw)
      return
    }
    if ('image' in turn) return whole(response, protocol.image(turn.image, turn.mediaType ?? 'image/png'))
    if ('vectors' in turn) return whole(response, protocol.vectors(turn.vectors, asked))
  }
  const spelled = spell(turn, asked)
  if (!asked.isStream) return whole(response, protocol.answer(spelled, asked))
  await stream(response, protocol.events(spelled, pieces(spelled.text), asked), holdOf(turn))
}

function whole(response: ServerResponse, answer: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(answer))
}

async function stream(
  response: ServerResponse,
  events: ReturnType<Protocol['events']>,
  hold: Promise<void> | undefined,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const { event, data, piece } of events) {
    if (hold && piece === PIECES / 2) await hold
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`)
  }
  response.end()
}

function spell(
  turn: Exclude<Turn, { status: number } | { raw: string } | { hang: true }>,
  asked: AskedModel,
): SpelledTurn {
  const { text = '', calls = [], finish, usage } = shortened(turn, asked)
  return {
    text,
    calls: calls.map((call, index) => ({ id: `call_${asked.toolResults.length + index}`, ...call })),
    finish: finish ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
    usage: usage === null ? undefined : (usage ?? { input: 10, output: 5 }),
  }
}

/** A client that knows no structured output of the provider asks for it by a tool that it calls `json`. */
function shortened(
  turn: Exclude<Turn, { status: number } | { raw: string } | { hang: true }>,
  asked: AskedModel,
): ModelTurn {
  if (typeof turn === 'string') return { text: turn }
  if ('object' in turn) {
    if (asked.tools.includes('json')) return { calls: [{ name: 'json', input: turn.object }] }
    return { text: JSON.stringify(turn.object) }
  }
  if ('image' in turn || 'vectors' in turn) throw new Error('An image or vectors are no text.')
  return turn
}

function holdOf(turn: Turn): Promise<void> | undefined {
  return typeof turn === 'object' && 'hold' in turn ? turn.hold : undefined
}

/** The text in pieces that cut between code points, not between letters of a cluster. */
function pieces(text: string): string[] {
  const points = [...text]
  const size = Math.max(1, Math.ceil(points.length / PIECES))
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) =>
    points.slice(at * size, (at + 1) * size).join(''),
  )
}
