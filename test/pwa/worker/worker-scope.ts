/** As much of a `ServiceWorkerGlobalScope` as a worker needs that starts without a network and with nothing kept. */
export interface WorkerScope {
  readonly global: object
  /** Names of the events that it listens to. */
  events(): string[]
  /** Waits for what the listeners wait for. @throws what they threw */
  dispatch(type: string): Promise<void>
  /** Opens a page or submits a form. @returns the worker's answer; `undefined` if it leaves the page to the network */
  navigate(url: string, init?: RequestInit): Promise<Response | undefined>
  isRegistered(): boolean
}

type Listener = (event: object) => void

export function createWorkerScope(): WorkerScope {
  const listeners = new Map<string, Listener[]>()
  let isRegistered = true
  const emptyCache = {
    match: async () => undefined,
    keys: async () => [],
    put: async () => {},
    delete: async () => false,
  }
  const registration = {
    scope: 'https://site.test/',
    sync: { register: async () => {} },
    navigationPreload: { enable: async () => {}, disable: async () => {} },
    unregister: async () => {
      isRegistered = false
    },
  }
  class FetchEvent {}
  const global = {
    ...{ URL, Request, Response, Headers, AbortController, setTimeout, clearTimeout, performance, FetchEvent },
    ...{ registration, location: new URL('https://site.test/sw.js'), navigator: {} },
    caches: {
      open: async () => emptyCache,
      match: async () => undefined,
      has: async () => false,
      keys: async () => [],
      delete: async () => false,
    },
    clients: { claim: async () => {}, matchAll: async () => [] },
    skipWaiting: async () => {},
    fetch: async () => {
      throw new TypeError('There is no network.')
    },
    addEventListener(type: string, listener: Listener) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener])
    },
    self: {},
  }
  global.self = global

  async function send(type: string, event: object): Promise<Response | undefined> {
    const waited: Promise<unknown>[] = []
    let answer: Promise<Response> | undefined
    const extended = Object.assign(event, {
      type,
      waitUntil: (promise: Promise<unknown>) => waited.push(promise),
      respondWith(promise: Promise<Response>) {
        if (answer) throw new Error('It was answered twice.')
        answer = promise
      },
    })
    for (const listener of listeners.get(type) ?? []) listener(extended)
    await Promise.all(waited)
    return answer
  }

  return {
    global,
    events: () => [...listeners.keys()],
    async dispatch(type) {
      await send(type, {})
    },
    navigate(url, { cache, ...init } = {}) {
      // Only browsers make requests of the mode `navigate`, and such with `only-if-cached`.
      const request = new Proxy(new Request(url, init), {
        get(target, name) {
          if (name === 'mode') return 'navigate'
          if (name === 'cache' && cache) return cache
          const value = Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
      return send('fetch', Object.assign(new FetchEvent(), { request }))
    },
    isRegistered: () => isRegistered,
  }
}
