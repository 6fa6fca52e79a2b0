import { randomUUID } from 'node:crypto'
import { createRateLimit, type ExtensionHost, RestResponse, readCookie, success, successAnswer } from 'pentad'
import { z } from 'zod'
import { analyticsShape, type PwaUsers, upsertKinds } from './pwa-users.ts'
import type { Visitors } from './visitor.ts'

/** Calls of one network in a minute, and new users from it in a day: a company may share one address. */
const CALLS_A_MINUTE = 60
const NEW_A_DAY = 1000

const COOKIE = 'pwa_user_id'
const YEAR_SECONDS = 31_536_000

/** How the app shows while it is a page in a browser; all others are those of an installed app. */
const DISPLAY_MODES = [
  'browser',
  'standalone',
  'minimal-ui',
  'fullscreen',
  'window-controls-overlay',
  'tabbed',
  'picture-in-picture',
] as const
const NOT_INSTALLED = new Set<string>(['browser', 'picture-in-picture'])

const uuid = z.uuid().toLowerCase()

/** `pwa/v1/pwa-users/…`: who opens and installs the app. */
export function registerUserRoutes(host: ExtensionHost, parts: { users: PwaUsers; visitors: Visitors }): void {
  const { users, visitors } = parts
  const calls = createRateLimit({ points: CALLS_A_MINUTE, seconds: 60, message: 'Too many calls, try again later.' })
  const newOnes = createRateLimit({
    points: NEW_A_DAY,
    seconds: 86_400,
    message: 'Too many new users from this network, try again tomorrow.',
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'PUT',
    path: '/pwa-users/upsert',
    access: 'public',
    summary: 'Notes that a visitor opened or installed the app.',
    input: z.object({
      pwaUserId: uuid.optional().describe('UUID that the browser made; without one the host makes it.'),
      displayMode: z.enum(DISPLAY_MODES).optional(),
      event: z.enum(['open', 'install']).default('open'),
    }),
    answer: successAnswer(z.object({ pwaUserId: uuid, type: z.enum(upsertKinds) })),
    async handler(request) {
      await calls.consume(request.clientAddress)
      const { event, displayMode } = request.input
      const named = request.input.pwaUserId ?? uuid.safeParse(readCookie(request.headers.cookie, COOKIE)).data
      const pwaUserId = named ?? randomUUID()
      // Where the browser tells of no installation, the first opening outside of it does.
      const isInstalled = event === 'install' || (displayMode !== undefined && !NOT_INSTALLED.has(displayMode))
      const visitor = await visitors.describe(request)
      const opening = { pwaUserId, isInstalled, displayMode, userId: request.user?.id ?? null }
      const mayCome = () => newOnes.consume(request.clientAddress)
      const type = visitor.isBot ? 'insert' : await users.upsert(opening, visitor, mayCome)
      const headers = request.input.pwaUserId === undefined ? { 'Set-Cookie': cookie(host, pwaUserId) } : {}
      return new RestResponse(success({ pwaUserId, type }), { headers })
    },
  })

  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/pwa-users/fetch',
    access: 'manage_options',
    summary: 'How many opened and installed the app, and with what.',
    input: z.object({ days: z.int().min(1).max(365).default(90).describe('Days back from today.') }),
    answer: successAnswer(analyticsShape),
    handler: async ({ input }) => success(await users.analytics(input.days)),
  })
}

/** Sent to this service only, so that it keeps no page out of a cache. */
function cookie({ rest, site }: ExtensionHost, pwaUserId: string): string {
  const path = new URL(rest.url('/pwa/v1')).pathname
  const secure = site.url.startsWith('https:') ? '; Secure' : ''
  return `${COOKIE}=${pwaUserId}; Path=${path}; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure}`
}
