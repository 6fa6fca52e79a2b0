import { randomInt } from 'node:crypto'
import type { TestHost } from 'pentad/testing'
import { z } from 'zod'

const responseSchema = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  data: z.json().optional(),
})

const cartSchema = z.object({
  items: z.array(z.object({ id: z.int(), name: z.string(), quantity: z.int(), price: z.int(), lineTotal: z.int() })),
  total: z.int(),
  currency: z.string(),
  itemCount: z.int(),
})

/** Data of a customer in an order. */
export const ada = { name: 'Ada', email: 'ada@example.org', message: '1 Analytical Way' }

/** The browser of one visitor. */
export interface Visitor {
  /** The cart cookie, updated by each response. */
  cookie: string
  send(
    path: string,
    request?: Pick<RequestInit, 'method' | 'body'> & { headers?: Record<string, string> },
  ): Promise<Response>
  /** Sends JSON to a route. */
  post(
    route: string,
    body: object,
    headers?: Record<string, string>,
  ): Promise<z.output<typeof responseSchema> & { status: number }>
  /** Submits a form to a route of the store. */
  submit(route: string, fields: Record<string, string>): Promise<Response>
  cart(): Promise<z.output<typeof cartSchema>>
}

/** @param host must trust 127.0.0.1 as a proxy: each visitor has its own address */
export function createVisitor(host: TestHost): Visitor {
  const address = `203.0.${randomInt(256)}.${randomInt(256)}`
  const visitor: Visitor = {
    cookie: '',
    async send(path, request = {}) {
      // One connection per request: the site may close an idle one just as it is reused.
      const own = { 'X-Forwarded-For': address, Cookie: visitor.cookie, Connection: 'close' }
      const headers = { ...own, ...request.headers }
      const response = await fetch(new URL(path, host.url), { redirect: 'manual', ...request, headers })
      for (const line of response.headers.getSetCookie()) visitor.cookie = line.split(';')[0] ?? ''
      return response
    },
    async post(route, body, headers = {}) {
      const response = await visitor.send(`/wp-json${route}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return { ...responseSchema.parse(await response.json()), status: response.status }
    },
    submit(route, fields) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: new URL(host.url).origin }
      const body = new URLSearchParams(fields).toString()
      return visitor.send(`/wp-json/store/v1${route}`, { method: 'POST', headers, body })
    },
    async cart() {
      const response = await visitor.send('/wp-json/store/v1/cart')
      return cartSchema.parse(responseSchema.parse(await response.json()).data)
    },
  }
  return visitor
}
