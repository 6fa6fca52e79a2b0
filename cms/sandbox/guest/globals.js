/** The globals of the web platform that the engine lacks, as far as extensions commonly use them. Imported before any code of the extension. */

const parse = globalThis.__parseUrl
const random = globalThis.__random
delete globalThis.__parseUrl
delete globalThis.__random

export class URLSearchParams {
  #pairs = []

  constructor(init = '') {
    if (typeof init === 'string') {
      for (const part of init.replace(/^\?/, '').split('&').filter(Boolean)) {
        const [name, ...value] = part.split('=')
        this.append(decode(name), decode(value.join('=')))
      }
    } else for (const [name, value] of Symbol.iterator in init ? init : Object.entries(init)) this.append(name, value)
  }
  append(name, value) {
    this.#pairs.push([String(name), String(value)])
  }
  delete(name) {
    this.#pairs = this.#pairs.filter(([one]) => one !== name)
  }
  get(name) {
    return this.#pairs.find(([one]) => one === name)?.[1] ?? null
  }
  getAll(name) {
    return this.#pairs.filter(([one]) => one === name).map(([, value]) => value)
  }
  has(name) {
    return this.#pairs.some(([one]) => one === name)
  }
  set(name, value) {
    this.delete(name)
    this.append(name, value)
  }
  [Symbol.iterator]() {
    return this.#pairs.values()
  }
  entries() {
    return this.#pairs.values()
  }
  toString() {
    return this.#pairs.map((pair) => pair.map(encode).join('=')).join('&')
  }
}

const decode = (text) => decodeURIComponent(text.replaceAll('+', ' '))
const encode = (text) => encodeURIComponent(text).replaceAll('%20', '+')

export class URL {
  constructor(url, base) {
    const parts = JSON.parse(parse(JSON.stringify([String(url), base === undefined ? null : String(base)])))
    if (parts === null) throw new TypeError('Invalid URL')
    Object.assign(this, parts)
  }
  static canParse(url, base) {
    return parse(JSON.stringify([String(url), base === undefined ? null : String(base)])) !== 'null'
  }
  get searchParams() {
    return new URLSearchParams(this.search)
  }
  toString() {
    return this.href
  }
  toJSON() {
    return this.href
  }
}

class TextEncoder {
  encode(text = '') {
    const escaped = encodeURIComponent(String(text).toWellFormed())
    const bytes = escaped.replaceAll(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Uint8Array.from(bytes, (one) => one.charCodeAt(0))
  }
}

class TextDecoder {
  decode(bytes = new Uint8Array()) {
    const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes)
    return decodeURIComponent(Array.from(view, (one) => `%${one.toString(16).padStart(2, '0')}`).join(''))
  }
}

const bytesOf = (count) => Array.from(random(String(count)).match(/../g) ?? [], (hex) => Number.parseInt(hex, 16))

const crypto = {
  getRandomValues(array) {
    const bytes = bytesOf(array.byteLength)
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(bytes)
    return array
  },
  randomUUID() {
    const bytes = bytesOf(16)
    bytes[6] = (bytes[6] & 15) | 64
    bytes[8] = (bytes[8] & 63) | 128
    const hex = bytes.map((one) => one.toString(16).padStart(2, '0')).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
}

Object.assign(globalThis, { URL, URLSearchParams, TextEncoder, TextDecoder, crypto })
