/** What a sandboxed extension imports as `pentad`. Runs in the engine, without Node and without a browser. */

import { z } from 'zod'

export class RestError extends Error {
  constructor(code, message, data, headers = {}) {
    super(message)
    this.name = 'RestError'
    this.code = code
    this.data = data
    this.headers = headers
  }

  get status() {
    return this.data.status
  }
}

export class RestResponse {
  constructor(body, { status = 200, headers = {} } = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const defineExtension = (definition) => definition
export const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (one) => ENTITIES[one])
export const success = (data, message) =>
  message === undefined ? { status: 'success', data } : { status: 'success', message, data }

export const successSchema = (data) => z.object({ status: z.literal('success'), message: z.string().optional(), data })
