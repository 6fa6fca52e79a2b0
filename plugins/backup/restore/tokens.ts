import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResponseOf } from 'pentad'
import { z } from 'zod'
import { readJson, writeJson } from '../json-file.ts'
import { isNotFound } from '../missing-files.ts'
import type { RestoreStates } from './state.ts'

/** Lifetime of the relogin token, in ms. */
const RELOGIN_LIFETIME = 30 * 60 * 1000
/** Lifetime of the progress token after the restore ended, in ms. */
const PROGRESS_LIFETIME = 60 * 60 * 1000

const RELOGIN = 'relogin.json'
const PROGRESS = 'progress-token.json'

const reloginSchema = z.object({ hash: z.string(), expires: z.number(), login: z.string() })
const progressSchema = z.object({ hash: z.string() })

export const issuedShape = z.object({
  ...{ reloginToken: z.string(), reloginExpires: z.iso.datetime(), progressToken: z.string() },
})

/** The two tokens of a restore. Only their SHA-256 is stored, next to the state, which a restore does not replace. */
export interface RestoreTokens {
  issue(id: string, login: string): Promise<ResponseOf<typeof issuedShape>>
  /** Login name for a token, once; `undefined` for an invalid token. */
  redeem(token: string): Promise<string | undefined>
  /** Id of the restore whose progress the token gives access to. */
  jobOf(token: string): Promise<string | undefined>
}

export function createRestoreTokens(states: RestoreStates, now: () => number = Date.now): RestoreTokens {
  const pathOf = (id: string, file: string) => join(states.folderOf(id), file)
  return {
    async issue(id, login) {
      const [reloginToken, progressToken] = [newToken(), newToken()]
      const expires = now() + RELOGIN_LIFETIME
      await writeJson(pathOf(id, RELOGIN), { hash: hashOf(reloginToken), expires, login })
      await writeJson(pathOf(id, PROGRESS), { hash: hashOf(progressToken) })
      return { reloginToken, reloginExpires: new Date(expires).toISOString(), progressToken }
    },
    async redeem(token) {
      for (const { id, state } of await states.list()) {
        const { data: stored } = reloginSchema.safeParse(await readJson(pathOf(id, RELOGIN)))
        if (!stored || !isToken(token, stored.hash) || stored.expires <= now() || state !== 'complete') continue
        // Of concurrent requests with the same token, one succeeds: a rename happens once.
        if (await isMoved(pathOf(id, RELOGIN), pathOf(id, `used-${RELOGIN}`))) return stored.login
      }
      return undefined
    },
    async jobOf(token) {
      for (const { id, state, updatedAt } of await states.list()) {
        const { data: stored } = progressSchema.safeParse(await readJson(pathOf(id, PROGRESS)))
        if (!stored || !isToken(token, stored.hash)) continue
        if (state === 'running' || Date.parse(updatedAt) + PROGRESS_LIFETIME > now()) return id
      }
      return undefined
    },
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function isToken(token: string, hash: string): boolean {
  const [given, wanted] = [Buffer.from(hashOf(token)), Buffer.from(hash)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
