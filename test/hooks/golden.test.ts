import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { z } from 'zod'
import { createHooks } from '../../core/hooks/index.ts'

const hook = z.string()
const cb = z.string()
const priority = z.number().optional()
const args = z.array(z.unknown())

const Operation = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['addFilter', 'addAction']), hook, cb, priority, acceptedArgs: z.number().default(1) }),
  z.object({ op: z.enum(['removeFilter', 'removeAction']), hook, cb, priority }),
  z.object({ op: z.literal('removeAll'), hook, priority }),
  z.object({ op: z.literal('has'), hook, cb: cb.optional() }),
  z.object({ op: z.enum(['didAction', 'didFilter']), hook }),
  z.object({ op: z.literal('doing'), hook: hook.optional() }),
  z.object({ op: z.literal('current') }),
  z.object({ op: z.literal('applyFilters'), hook, value: z.unknown(), args }),
  z.object({ op: z.literal('doAction'), hook, args }),
])

const Scenario = z.object({
  name: z.string(),
  callbacks: z.record(
    z.string(),
    z.object({
      do: z.array(Operation).default([]),
      max: z.number().default(2),
      returns: z
        .union([
          z.strictObject({ const: z.unknown() }),
          z.strictObject({ first: z.unknown() }),
          z.strictObject({ append: z.string() }),
        ])
        .optional(),
    }),
  ),
  steps: z.array(Operation),
  log: z.array(z.record(z.string(), z.unknown())),
})

type Operation = z.infer<typeof Operation>
type Scenario = z.infer<typeof Scenario>
/** Returning nothing fits both addAction and addFilter; what it does return is seen by filters all the same. */
type Callback = (...args: unknown[]) => void

/** What WordPress itself did, recorded; its one known bug (Trac #64653) corrected. */
const scenarios = z
  .array(Scenario)
  .parse(JSON.parse(readFileSync(new URL('../fixtures/hooks-golden.json', import.meta.url), 'utf8')))

describe('hooks, as WordPress runs them', () => {
  it('has 369 recorded runs to follow', () => {
    expect(scenarios).to.have.lengthOf(369)
  })

  for (const scenario of scenarios) {
    it(scenario.name, () => {
      expect(play(scenario)).to.deep.equal(scenario.log)
    })
  }
})

describe('async hooks, as WordPress runs its hooks', () => {
  for (const scenario of scenarios) {
    it(scenario.name, async () => {
      expect(await playAsync(scenario)).to.deep.equal(scenario.log)
    })
  }
})

/** Runs a scenario on a fresh registry and answers what happened. */
function play(scenario: Scenario): unknown[] {
  const { log, perform, returnOf, operationsOf } = stage(scenario)
  const callbacks = new Map<string, Callback>(
    Object.keys(scenario.callbacks).map((id) => [
      id,
      (...given: unknown[]) => {
        log.push({ call: id, args: given })
        for (const operation of operationsOf(id)) run(operation)
        return returnOf(id, given[0])
      },
    ]),
  )
  const run = (operation: Operation): void => {
    const { hooks } = perform
    if (operation.op === 'doAction') hooks.doAction(operation.hook, ...operation.args)
    else if (operation.op === 'applyFilters') {
      const result = hooks.applyFilters(operation.hook, operation.value, ...operation.args)
      log.push({ op: operation.op, hook: operation.hook, result })
    } else perform.other(operation, (id) => callbackOf(callbacks, id))
  }
  for (const step of scenario.steps) run(step)
  return log
}

/** The same through the async pair, where every callback waits before and after each thing it does. */
async function playAsync(scenario: Scenario): Promise<unknown[]> {
  const { log, perform, returnOf, operationsOf } = stage(scenario)
  const callbacks = new Map<string, Callback>(
    Object.keys(scenario.callbacks).map((id) => [
      id,
      async (...given: unknown[]) => {
        log.push({ call: id, args: given })
        await undefined
        for (const operation of operationsOf(id)) await run(operation)
        await undefined
        return returnOf(id, given[0])
      },
    ]),
  )
  const run = async (operation: Operation): Promise<void> => {
    const { hooks } = perform
    if (operation.op === 'doAction') await hooks.doActionAsync(operation.hook, ...operation.args)
    else if (operation.op === 'applyFilters') {
      const result = await hooks.applyFiltersAsync(operation.hook, operation.value, ...operation.args)
      log.push({ op: operation.op, hook: operation.hook, result })
    } else perform.other(operation, (id) => callbackOf(callbacks, id))
  }
  for (const step of scenario.steps) await run(step)
  return log
}

function callbackOf(callbacks: ReadonlyMap<string, Callback>, id: string): Callback {
  const callback = callbacks.get(id)
  if (callback === undefined) throw new Error(`The scenario has no callback ${id}.`)
  return callback
}

/** What the synchronous and the asynchronous run have in common. */
function stage({ callbacks }: Scenario) {
  const hooks = createHooks()
  const log: unknown[] = []
  const called = new Map<string, number>()

  return {
    log,
    perform: {
      hooks,
      other(operation: Operation, callback: (id: string) => Callback): void {
        const answer = (result: unknown) => log.push({ ...operation, result })
        switch (operation.op) {
          case 'addFilter':
            hooks.addFilter(operation.hook, callback(operation.cb), operation.priority, operation.acceptedArgs)
            return
          case 'addAction':
            hooks.addAction(operation.hook, callback(operation.cb), operation.priority, operation.acceptedArgs)
            return
          case 'removeFilter':
          case 'removeAction': {
            const given = [operation.hook, callback(operation.cb), operation.priority] as const
            const result = operation.op === 'removeFilter' ? hooks.removeFilter(...given) : hooks.removeAction(...given)
            log.push({ op: operation.op, hook: operation.hook, result })
            return
          }
          case 'removeAll':
            hooks.removeAllFilters(operation.hook, operation.priority)
            return
          case 'has': {
            const { hook, cb } = operation
            const result = cb === undefined ? hooks.hasFilter(hook) : hooks.hasFilter(hook, callback(cb))
            log.push({ op: 'has', hook, result })
            return
          }
          case 'didAction':
          case 'didFilter':
            answer(hooks[operation.op](operation.hook))
            return
          case 'doing':
            answer(hooks.doingFilter(operation.hook))
            return
          case 'current':
            answer(hooks.currentFilter())
        }
      },
    },
    /** A callback does its list only the first `max` times. */
    operationsOf(id: string): readonly Operation[] {
      const { do: operations, max } = callbackIn(id)
      const times = (called.get(id) ?? 0) + 1
      called.set(id, times)
      return times <= max ? operations : []
    },
    returnOf(id: string, first: unknown): unknown {
      const { returns } = callbackIn(id)
      if (returns === undefined) return asText(first) + id
      if ('const' in returns) return returns.const
      if ('first' in returns) return first
      return asText(first) + returns.append
    },
  }

  function callbackIn(id: string): Scenario['callbacks'][string] {
    const callback = callbacks[id]
    if (callback === undefined) throw new Error(`The scenario has no callback ${id}.`)
    return callback
  }
}

/** As PHP turns a value into text. */
function asText(value: unknown): string {
  if (value === true) return '1'
  if (value === null || value === undefined || value === false) return ''
  return String(value)
}
