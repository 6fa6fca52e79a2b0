import { z } from 'zod'
import { CALL_LIMITS } from '../http/time-limit.ts'
import type { SettingsRegistry } from './types.ts'

const NOTHING = {}

const core = {
  corsOrigins: z
    .array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin))
    .max(100)
    .default([])
    .meta({
      title: 'Trusted origins',
      description: 'Origins of other sites whose scripts may call the REST API with cookies.',
    }),
  callbackTimeLimit: z.int().min(50).max(600_000).default(5_000).meta({
    title: 'Callback time limit (ms)',
    description:
      'Maximum duration of an extension’s asynchronous callback. If a callback takes longer, Pentad continues without its result.',
  }),
  requestTimeLimit: z.int().min(50).max(600_000).default(10_000).meta({
    title: 'Request time limit (ms)',
    description: 'Total time that a page or REST response waits for asynchronous callbacks of extensions.',
  }),
  handlerTimeLimit: z.int().min(50).max(3_600_000).default(CALL_LIMITS.handler).meta({
    title: 'Handler time limit (ms)',
    description:
      'Maximum duration of an extension’s route handler or ability, unless the extension sets its own limit.',
  }),
}

/** The settings of the host itself, updated with `PUT /host/v1/settings/host`. */
export interface HostSettings {
  /** Returns the defaults until `register` was called. */
  get(): z.output<z.ZodObject<typeof core>>
  /** Adds settings of another part of the product; call it before `register`. @returns a function for their current values */
  add<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>>
  /** Declares the settings record with everything added so far. */
  register(): void
}

export function createHostSettings(settings: SettingsRegistry): HostSettings {
  let shapeOfAll: z.ZodRawShape = {}
  let read = (): Readonly<Record<string, unknown>> => NOTHING

  function add<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>> {
    shapeOfAll = { ...shapeOfAll, ...shape }
    const schema = z.object(shape)
    let record: object | undefined
    let values = schema.parse({}, { jitless: true })
    return () => {
      const now = read()
      // The record is the same object until it is stored again.
      if (now !== record) values = schema.parse(now, { jitless: true })
      record = now
      return values
    }
  }

  return {
    get: add(core),
    add,
    register() {
      read = settings.register('host', z.object(shapeOfAll)).settings.get
    },
  }
}
