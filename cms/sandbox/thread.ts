/** The thread of one sandboxed extension: runs its code in instances of the engine. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { Instance, Killed } from './instance.ts'
import { type FromThread, START, type ThreadData, type ToThread } from './messages.ts'

type Call = Extract<ToThread, { type: 'call' }>

/** An instance and the call that it is working on. An instance works on one call at a time, so that requests belong to that call. */
interface Lane {
  instance: Instance | undefined
  /** 0 if it is free. */
  call: number
  /** Calls of the instance so far. */
  calls: number
  isSetUp: boolean
  /** Requests without a reply. */
  requests: number
  /** The call that starts when `setup` has run in a new instance. */
  next: Call | undefined
}

const data: ThreadData = workerData
const { limits, wake, replies } = data
const woken = new Int32Array(wake)
const lanes: Lane[] = []

const post = (message: FromThread): void => parentPort?.postMessage(message)

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'call') {
    start(message)
    return
  }
  const lane = lanes.find(({ call }) => call === message.call)
  if (message.type === 'end') {
    if (lane) finish(lane, true)
    post({ type: 'ended', call: message.call })
    return
  }
  if (lane === undefined) return
  lane.requests--
  run(lane, message.json)
})

function start(call: Call): void {
  const lane = lanes.find((one) => one.call === 0) ?? addLane()
  lane.call = call.call
  void begin(lane, call)
}

/** The host limits the number of calls. */
function addLane(): Lane {
  const lane: Lane = { instance: undefined, call: 0, calls: 0, isSetUp: false, requests: 0, next: undefined }
  lanes.push(lane)
  return lane
}

async function begin(lane: Lane, call: Call): Promise<void> {
  if (lane.instance === undefined) {
    try {
      const instance = await create(lane)
      // Ended meanwhile.
      if (lane.call !== call.call) return
      lane.instance = instance
    } catch (error) {
      fail(lane, error)
      return
    }
  }
  if (call.needsSetup && !lane.isSetUp) {
    lane.next = call
    lane.instance.begin(limits.startCpu)
    run(lane, data.start)
  } else {
    lane.instance.begin(call.cpu ?? limits.cpu)
    run(lane, call.json)
  }
}

function create(lane: Lane): Promise<Instance> {
  return Instance.create(data, {
    send: (json) => receive(lane, json),
    ask(json) {
      Atomics.store(woken, 0, 0)
      post({ type: 'request', call: lane.call, json, isSync: true })
      // The host notifies after it stores, so a late notification of the last reply may wake the thread.
      while (Atomics.load(woken, 0) === 0) Atomics.wait(woken, 0, 0)
      const reply: unknown = receiveMessageOnPort(replies)?.message
      return typeof reply === 'string' ? reply : '{"error":{"message":"No reply."}}'
    },
  })
}

/** A message of the guest: its first letter tells whether it is a request, `?`, or the result, `=`. */
function receive(lane: Lane, message: string): void {
  const json = message.slice(1)
  if (message.startsWith('?')) {
    if (++lane.requests > limits.requests) lane.instance?.kill('requests')
    else post({ type: 'request', call: lane.call, json, isSync: false })
  }
  if (message.startsWith('=')) results.set(lane, json)
}

/** Results of calls, sent when the code has come to rest. */
const results = new Map<Lane, string>()

function run(lane: Lane, json: string): void {
  if (lane.instance === undefined) return
  try {
    lane.instance.receive(json)
  } catch (error) {
    fail(lane, error)
    return
  }
  const result = results.get(lane)
  if (result === undefined) return
  results.delete(lane)
  const { next } = lane
  lane.next = undefined
  // Not if `setup` failed: then its error is the result.
  if (next !== undefined) lane.isSetUp = !result.startsWith('{"error"')
  if (next !== undefined && next.json !== START && lane.isSetUp) {
    void begin(lane, next)
    return
  }
  const { cpu, memory } = lane.instance
  post({ type: 'done', call: lane.call, json: result, cpu, memory })
  lane.calls++
  // Memory never shrinks, so an instance that needed much is replaced too.
  const isWornOut = lane.calls >= limits.calls || memory > limits.memory * 0.75
  finish(lane, isWornOut)
}

function fail(lane: Lane, error: unknown): void {
  const json = results.get(lane) ?? ''
  results.delete(lane)
  if (error instanceof Killed) {
    post({ type: 'killed', call: lane.call, reason: error.reason, stack: error.stack ?? '', json })
  } else {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
    post({ type: 'failed', call: lane.call, message, stack })
  }
  finish(lane, true)
}

/** Frees a lane for the next call. */
function finish(lane: Lane, isDiscarded: boolean): void {
  lane.call = 0
  lane.requests = 0
  lane.next = undefined
  if (isDiscarded) {
    lane.instance = undefined
    lane.calls = 0
    lane.isSetUp = false
  }
  if (lanes.length > limits.instances || isDiscarded) lanes.splice(lanes.indexOf(lane), 1)
}
