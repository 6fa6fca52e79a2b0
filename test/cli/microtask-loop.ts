/** A program whose microtasks never end. A thread of it prints whose code it finds the main thread in, and ends the program. */
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { IDENTIFY } from '../../cli/supervisor/heartbeat.ts'
import { connectMainThread } from '../../cli/supervisor/main-thread.ts'

/** So many samples, as many milliseconds apart as those of the watchdog. */
const SAMPLES = { count: 5, apart: 50, patience: 5000 }
/** Whether it never says whose code it is. */
const isSilent = process.argv[2] === 'silent'

/** How often the loop went round. */
const rounds: Int32Array = isMainThread ? new Int32Array(new SharedArrayBuffer(4)) : workerData

function endless(): void {
  Atomics.add(rounds, 0, 1)
  queueMicrotask(endless)
}

if (isMainThread) {
  let asked = 0
  // As if every other stop were between two microtasks, where the stack has only Node's frames.
  const identify = (...stacks: string[]) => {
    while (isSilent) rounds[0] = 2
    return JSON.stringify(
      stacks.map((stack) => (asked++ % 2 === 1 && / endless /.test(stack) ? { extension: 'endless' } : null)),
    )
  }
  Reflect.set(globalThis, Symbol.for(IDENTIFY), identify)
  new Worker(import.meta.filename, { workerData: rounds, argv: process.argv.slice(2) }).once('message', endless)
} else {
  // An answer that the inspector owes does not keep a thread alive; waiting for messages does.
  parentPort?.on('message', () => {})
  parentPort?.postMessage('ready')
  while (Atomics.load(rounds, 0) < 2) await wait(1)
  using main = connectMainThread()
  for (let taken = 0; taken < (isSilent ? 1 : SAMPLES.count); taken++) {
    const sample = await main.sample(isSilent ? SAMPLES.patience / 10 : SAMPLES.patience)
    writeSync(1, `${sample?.owner?.extension ?? sample?.stack.replaceAll(/\s+/g, ' ') ?? 'nothing'}\n`)
    await wait(SAMPLES.apart)
  }
  process.kill(process.pid, 'SIGKILL')
}
