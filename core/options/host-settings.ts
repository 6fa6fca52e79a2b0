import { z } from 'zod'
import { CALL_LIMITS } from '../http/time-limit.ts'
import type { SettingsRegistry } from './types.ts'

const NOTHING = {}

const core = {
  corsOrigins: z
    .array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin))
    .max(100)
    .default([])
    .meta({ title: 'Trusted origins', description: 'Other sites whose scripts may call the REST API with cookies.' }),
  callbackTimeLimit: z.int().min(50).max(600_000).default(5_000).meta({
    title: 'Time limit of a callback (ms)',
    description: 'A page or REST answer skips an asynchronous callback of an extension that takes longer.',
  }),
  requestTimeLimit: z.int().min(50).max(600_000).default(10_000).meta({
    title: 'Time limit of a request (ms)',
    description: 'How long a page or REST answer waits for asynchronous callbacks of extensions altogether.',
  }),
  handlerTimeLimit: z.int().min(50).max(3_600_000).default(CALL_LIMITS.handler).meta({
    title: 'Time limit of a handler (ms)',
    description:
      'A REST request waits no longer for the handler of an extension’s route, or for an ability, unless the extension sets a limit of its own for it.',
  }),
}

/** The settings of the host itself, written over `PUT /host/v1/settings/host`. */
export interface HostSettings {
  /** Their defaults until `register`. */
  get(): z.output<z.ZodObject<typeof core>>
  /** Settings of a part that joins the host; to be added before `register`. */
  add<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>>
  /** Declares the record, with all that was added. */
  register(): void
}

export function createHostSettings(settings: SettingsRegistry): HostSettings {
  let whole: z.ZodRawShape = {}
  let read = (): Readonly<Record<string, unknown>> => NOTHING

  function add<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>> {
    whole = { ...whole, ...shape }
    const schema = z.object(shape)
    let record: object | undefined
    let values = schema.parse({})
    return () => {
      const now = read()
      // The record stays the same object while nothing is stored.
      if (now !== record) values = schema.parse(now)
      record = now
      return values
    }
  }

  return {
    get: add(core),
    add,
    register() {
      read = settings.register('host', z.object(whole)).settings.get
    },
  }
}
