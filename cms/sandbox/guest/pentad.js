/** What a sandboxed extension imports as `pentad` or `pentad/sandbox`. Runs in the engine, without Node and without a browser. */

import { z } from 'zod'

export class RestError extends Error {
  constructor(code, message, data, headers = {}) {
    super(message)
    this.name = 'RestError'
    this.code = code
    this.data = data
    this.headers = headers
    this.additional = []
  }

  get status() {
    return this.data.status
  }

  add(code, message, data = null) {
    this.additional.push({ code, message, data })
    return this
  }
}

export class RestResponse {
  constructor(body, { status = 200, headers = {} } = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }

  with(body) {
    return new RestResponse(body, this)
  }
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export const defineExtension = (definition) => definition
export const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (one) => ENTITIES[one])
export const success = (data, message) =>
  message === undefined ? { status: 'success', data } : { status: 'success', message, data }

export const successSchema = (data) => z.object({ status: z.literal('success'), message: z.string().optional(), data })
