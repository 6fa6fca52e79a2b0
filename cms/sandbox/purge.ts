import { z } from 'zod'
import { createBudget } from './budget.ts'
import type { MethodParts } from './method-parts.ts'
import { PermissionError } from './permissions.ts'

const HOOK = 'purge_pages'
/** Purges within a minute: each makes pages be rendered again. */
const MOST = 60
const MOST_TAGS = 20
const OF_POST = /^post-[1-9]\d{0,15}$/

/** `hooks.doAction('purge_pages', …)`: the only action that a guest fires. It purges single posts and the guest's own tags, not the site. */
export function createPurge({ host, granted, usage }: Pick<MethodParts, 'host' | 'granted' | 'usage'>) {
  const budget = createBudget(MOST, 60_000)
  const tag = z
    .string()
    .max(100)
    .refine((one) => OF_POST.test(one) || one === host.id || one.startsWith(`${host.id}-`), {
      error: `A tag must be post-<post ID> or ${host.id}, or begin with ${host.id}-.`,
    })
  const requestSchema = z.strictObject({
    tags: z.array(tag).min(1).max(MOST_TAGS),
    reason: z.string().max(200).optional(),
    soft: z.boolean().optional(),
  })

  return (name: unknown, request: unknown): void => {
    if (name !== HOOK) throw new Error(`A sandboxed extension can fire only the action ${HOOK}.`)
    if (!granted.hooks.includes(HOOK)) throw new PermissionError(`The hook ${HOOK}`, 'hooks')
    const { tags, reason, soft = false } = requestSchema.parse(request)
    budget.take(`The extension may purge ${MOST} tags a minute.`, tags.length)
    usage.use(`hook ${HOOK}`)
    host.hooks.doAction(HOOK, { tags, soft, ...(reason !== undefined && { reason }) })
  }
}
