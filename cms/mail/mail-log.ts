import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { Schema } from '../../core/database/schema.ts'
import { RestError } from '../../core/errors.ts'
import type { Vault } from '../../core/options/types.ts'
import { mailMessage } from './message.ts'
import type { MailLogTable } from './tables.ts'
import type { MailMessage } from './types.ts'

const DAY = 86_400_000
/** Newest entries that are retained, so that a form under attack cannot fill the database. */
const MOST_ENTRIES = 10_000
/** Characters of recipients and subject, and of a message as JSON, that are stored. */
const LONGEST_TEXT = 500
const LONGEST_MESSAGE = 200_000
/** Messages that are decrypted at a time. */
const BATCH = 200
/** Binds the encrypted messages to this table. */
const PLACE = 'mail_log'

/** What happened to a message: `stored` means as a file, because no SMTP server is configured. */
export type MailOutcome = { readonly state: 'sent' | 'stored' } | { readonly state: 'failed'; readonly error: string }

export interface MailLogEntry {
  readonly id: number
  readonly time: string
  readonly recipients: string
  readonly subject: string
  readonly state: MailLogTable['state']
  readonly error: string
  readonly attempts: number
  readonly canResend: boolean
}

/** Which emails the site sent. */
export interface MailLog {
  /**
   * A retry of a message that failed updates its entry.
   * @param isSecret - Whether the message contains a secret: then it is not stored.
   */
  add(message: MailMessage, outcome: MailOutcome, isSecret: boolean): Promise<void>
  /** Newest first. */
  query(options: {
    readonly limit: number
    readonly offset: number
    readonly state?: MailLogTable['state'] | undefined
  }): Promise<{ readonly items: MailLogEntry[]; readonly total: number }>
  /** @throws RestError 404 `mail_not_found`; 409 `mail_not_stored` */
  messageOf(id: number): Promise<MailMessage>
  /** Records another attempt. */
  update(id: number, outcome: MailOutcome): Promise<void>
  /** Emails to an address. */
  about(email: string): Promise<Pick<MailLogEntry, 'id' | 'time' | 'recipients' | 'subject'>[]>
  /** Deletes the emails to an address, and those whose message contains it. @returns their number */
  erase(email: string): Promise<number>
  clear(): Promise<void>
  /** Deletes what is older than the retention. */
  prune(): Promise<void>
}

/**
 * The email log. Messages are stored encrypted, only to send them again: no route returns them. Messages with a secret, with attachments,
 * or longer than 200,000 characters are not stored.
 *
 * @param parts.key Secret key of the hashes.
 * @param parts.days Retention in days; with 0, nothing is recorded.
 */
export function createMailLog({
  db,
  vault,
  key,
  days,
  now = () => Date.now(),
}: {
  readonly db: Kysely<Schema>
  readonly vault: Vault
  readonly key: Buffer
  readonly days: () => number
  readonly now?: () => number
}): MailLog {
  /** The message as text, and whether it is stored. */
  function readMessage(message: MailMessage, isSecret: boolean) {
    const { to, subject, text, html, from, replyTo, headers, attachments = [] } = message
    const content = JSON.stringify({ to, subject, text, html, from, replyTo, headers })
    const isStored = !isSecret && attachments.length === 0 && content.length <= LONGEST_MESSAGE
    return {
      message: isStored ? JSON.stringify(vault.seal(content, PLACE)) : '',
      digest: createHmac('sha256', key).update(content).digest('base64url'),
    }
  }

  async function update(id: number, outcome: MailOutcome): Promise<void> {
    await db
      .updateTable('mail_log')
      .set((eb) => ({ ...columnsOf(outcome), attempts: eb('attempts', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }

  return {
    async add(message, outcome, isSecret) {
      if (days() === 0) return
      const stored = readMessage(message, isSecret)
      const retried = await db
        .selectFrom('mail_log')
        .select('id')
        .where('digest', '=', stored.digest)
        .where('state', '=', 'failed')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (retried) return update(retried.id, outcome)
      await db
        .insertInto('mail_log')
        .values({
          time_gmt: toGmt(now()),
          recipients: [message.to].flat().join(', ').slice(0, LONGEST_TEXT),
          subject: message.subject.slice(0, LONGEST_TEXT),
          ...columnsOf(outcome),
          attempts: 1,
          ...stored,
        })
        .execute()
    },
    async query({ limit, offset, state }) {
      const matching = db
        .selectFrom('mail_log')
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'sent'))
      const rows = await matching
        .select(['id', 'time_gmt', 'recipients', 'subject', 'state', 'error', 'attempts'])
        .select((eb) => eb('message', '!=', '').as('can_resend'))
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
      const items = rows.map(({ time_gmt, can_resend, ...row }) => ({
        ...row,
        time: fromGmt(time_gmt),
        canResend: Boolean(can_resend),
      }))
      return { items, total: Number(total) }
    },
    async messageOf(id) {
      const row = await db.selectFrom('mail_log').select('message').where('id', '=', id).executeTakeFirst()
      if (!row) throw new RestError('mail_not_found', 'The email is not in the log.', { status: 404 })
      if (row.message === '') {
        const message =
          'The email cannot be sent again, because it contained a secret link or attachments, which are not stored.'
        throw new RestError('mail_not_stored', message, { status: 409 })
      }
      return mailMessage.parse(JSON.parse(String(vault.open(JSON.parse(row.message), PLACE))))
    },
    update,
    async about(email) {
      const rows = await db
        .selectFrom('mail_log')
        .select(['id', 'time_gmt', 'recipients', 'subject'])
        .orderBy('id')
        .execute()
      return rows
        .filter(({ recipients }) => containsAddress(recipients, email))
        .map(({ time_gmt, ...row }) => ({ ...row, time: fromGmt(time_gmt) }))
    },
    async erase(email) {
      let erased = 0
      for (let last = 0; ; ) {
        const batch = db.selectFrom('mail_log').select(['id', 'recipients', 'message']).where('id', '>', last)
        const rows = await batch.orderBy('id').limit(BATCH).execute()
        const found = rows.filter(
          ({ recipients, message }) =>
            containsAddress(recipients, email) ||
            (message !== '' && containsAddress(String(vault.open(JSON.parse(message), PLACE)), email)),
        )
        const ids = found.map(({ id }) => id)
        if (ids.length > 0) await db.deleteFrom('mail_log').where('id', 'in', ids).execute()
        erased += ids.length
        last = rows.at(-1)?.id ?? last
        if (rows.length < BATCH) return erased
      }
    },
    async clear() {
      await db.deleteFrom('mail_log').execute()
    },
    async prune() {
      await db
        .deleteFrom('mail_log')
        .where('time_gmt', '<', toGmt(now() - days() * DAY))
        .execute()
      const newest = db.selectFrom('mail_log').select('id').orderBy('id', 'desc').limit(1).offset(MOST_ENTRIES)
      await db.deleteFrom('mail_log').where('id', '<=', newest).execute()
    },
  }
}

/** Whether a text contains an address, and not only as a part of another one. */
function containsAddress(text: string, email: string): boolean {
  return new RegExp(`(?<![\\w.+-])${RegExp.escape(email)}(?![\\w-]|\\.\\w)`, 'i').test(text)
}

function columnsOf(outcome: MailOutcome): Pick<MailLogTable, 'state' | 'error'> {
  return { state: outcome.state, error: outcome.state === 'failed' ? outcome.error.slice(0, LONGEST_TEXT) : '' }
}
