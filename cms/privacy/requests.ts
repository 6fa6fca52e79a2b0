import { hash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Users } from '../../core/auth/types.ts'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { SiteDatabase } from '../../core/database/index.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Mail } from '../mail/types.ts'
import type { PageTexts, TextsFor } from '../text/translations.ts'
import './hooks.ts'
import type { PrivacyRequestTable } from './tables.ts'
import type { ErasureReport, PersonalDataGroup, PrivacyRequest, PrivacyRequestType, SentRequest } from './types.ts'

const DAY = 24 * 60 * 60 * 1000
/** Milliseconds for which a confirmation link is valid. */
const CONFIRMATION_LIFETIME = DAY
/** Milliseconds for which the data can be downloaded. */
const DOWNLOAD_LIFETIME = 3 * DAY
/** Milliseconds after which requests are deleted: they contain an email address. */
const RETENTION = 30 * DAY

export interface PrivacyRequests {
  /**
   * Records a request, and asks the person to confirm it unless `isConfirmed`.
   * @throws RestError 409 `privacy_request_exists`, 502 `mail_failed`
   */
  create(request: { type: PrivacyRequestType; email: string; isConfirmed: boolean }): Promise<SentRequest>
  query(range: {
    type: PrivacyRequestType
    limit: number
    offset: number
  }): Promise<{ readonly items: PrivacyRequest[]; readonly total: number }>
  /** @throws RestError 404 `privacy_request_not_found` */
  get(id: number): Promise<PrivacyRequest>
  /** Sends a new confirmation link, which replaces the previous one. @throws RestError 409 `privacy_request_state`, 502 `mail_failed` */
  resend(id: number): Promise<SentRequest>
  /**
   * Erases the data, or emails a download link that is valid for three days. Can be repeated.
   * @throws RestError 409 `privacy_request_state` if the person has not confirmed it, 500 `privacy_extension_failed` if an exporter or
   * eraser failed: the request stays open; 502 `mail_failed`
   */
  complete(id: number): Promise<SentRequest>
  delete(id: number): Promise<void>
  /** The request of a confirmation link. @throws RestError 400 `invalid_key` */
  check(key: string): Promise<PrivacyRequest>
  /** Confirms a request and notifies the administrator. @throws RestError 400 `invalid_key` */
  confirm(key: string): Promise<PrivacyRequest>
  /** The request of a download link. @throws RestError 400 `invalid_key` */
  checkDownload(key: string): Promise<PrivacyRequest>
  /** @throws RestError 500 `privacy_extension_failed` */
  dataOf(email: string): Promise<readonly PersonalDataGroup[]>
  /** Deletes old requests. */
  prune(): Promise<void>
}

interface Parts {
  readonly database: Pick<SiteDatabase, 'db'>
  readonly hooks: Hooks
  readonly users: Pick<Users, 'getByEmail'>
  readonly mail: Pick<Mail, 'send'>
  readonly textsFor: TextsFor
  readonly siteUrl: string
  /** IDs of paused extensions, which may store personal data. */
  readonly paused: () => readonly string[]
  readonly site: () => { readonly title: string; readonly adminEmail: string }
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

/** Requests for personal data: WordPress's _Tools → Export Personal Data_ and _Erase Personal Data_. */
export function createPrivacyRequests(parts: Parts): PrivacyRequests {
  const { hooks, users, mail, textsFor, siteUrl, paused, site, now = () => Date.now() } = parts
  const { db } = parts.database

  /** Sends an email in the language of its recipient. @returns whether it was stored as a file, because no SMTP server is configured */
  async function send(
    to: string,
    compose: (texts: PageTexts) => { subject: string; text: readonly string[] },
    isSecret = false,
  ): Promise<boolean> {
    const texts = await textsFor(await users.getByEmail(to))
    const { subject, text } = compose(texts)
    const message = { to, subject: `[${site().title}] ${subject}`, text: text.join('\n') }
    const { file } = await mail.send(message, { isSecret, language: texts.language })
    return file !== undefined
  }

  const userIdOf = async (email: string) => (await users.getByEmail(email))?.id ?? null
  const rowOf = async (id: number) => {
    const row = await db.selectFrom('privacy_requests').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw new RestError('privacy_request_not_found', 'The request does not exist.', { status: 404 })
    return row
  }
  const change = async (id: number, changes: Partial<Selectable<PrivacyRequestTable>>) => {
    await db.updateTable('privacy_requests').set(changes).where('id', '=', id).execute()
    return toRequest(await rowOf(id))
  }

  /** Sends a link before it is stored, so that a failure leaves the previous one valid. @returns as `send` */
  async function sendLink(
    row: Pick<PrivacyRequest, 'id' | 'type' | 'email'>,
    action: 'confirmaction' | 'personal-data',
    lifetime: number,
  ): Promise<boolean> {
    const key = randomBytes(32).toString('base64url')
    const url = `${siteUrl}/wp-login.php?${new URLSearchParams({ action, key })}`
    const compose = action === 'personal-data' ? downloadText : confirmationText
    const storedAsFile = await send(row.email, (texts) => compose(texts, url, row.type), true)
    const link = { key_hash: hashOf(key), expires_gmt: toGmt(now() + lifetime) }
    await db.updateTable('privacy_requests').set(link).where('id', '=', row.id).execute()
    return storedAsFile
  }

  const siteName = () => `${site().title} (${siteUrl})`

  function confirmationText({ __ }: PageTexts, url: string, type: PrivacyRequestType) {
    const isExport = type === 'export'
    const text = [
      isExport
        ? __('A request was made on %s to export your personal data.', siteName())
        : __('A request was made on %s to erase your personal data.', siteName()),
      '',
      __('To confirm the request, visit the following address within 24 hours:'),
      '',
      url,
      '',
      __('If you did not make this request, ignore this email.'),
    ]
    const subject = isExport
      ? __('Confirm the request to export your personal data')
      : __('Confirm the request to erase your personal data')
    return { subject, text }
  }

  function downloadText({ __ }: PageTexts, url: string) {
    const text = [
      __('Your request for an export of your personal data from %s has been completed.', siteName()),
      '',
      __('You can download your data for the next three days:'),
      '',
      url,
      '',
      __('Do not forward this email: anyone with the link can download the data.'),
    ]
    return { subject: __('Your personal data'), text }
  }

  /** Calls all exporters or erasers, also after one has failed. @throws RestError 500 `privacy_extension_failed` */
  async function byAll<Result>(problem: string, call: (limited: ReturnType<Hooks['limited']>) => Promise<Result>) {
    const failed = new Set(paused())
    const result = await call(hooks.limited({ cancelable: false, onError: (_error, id) => failed.add(id) }))
    if (failed.size === 0) return result
    const message = `${problem} Failed or paused extensions: ${[...failed].join(', ')}. See the log, then try again.`
    throw new RestError('privacy_extension_failed', message, { status: 500 })
  }

  async function dataOf(email: string): Promise<readonly PersonalDataGroup[]> {
    const userId = await userIdOf(email)
    return byAll('Some personal data could not be read.', ({ applyFiltersAsync }) =>
      applyFiltersAsync('wp_privacy_personal_data_exporters', [], email, userId),
    )
  }

  async function find(key: string, states: readonly PrivacyRequest['state'][]) {
    const row = await db
      .selectFrom('privacy_requests')
      .selectAll()
      .where('key_hash', '=', hashOf(key))
      .where('state', 'in', states)
      .where('expires_gmt', '>', toGmt(now()))
      .executeTakeFirst()
    if (row) return toRequest(row)
    const message = 'This link is not valid. It may have expired, been used, or been replaced by a newer one.'
    throw new RestError('invalid_key', message, { status: 400 })
  }

  return {
    async create({ type, email, isConfirmed }) {
      const moment = toGmt(now())
      const same = db.selectFrom('privacy_requests').select('id').where('type', '=', type)
      const open = await same.where('email', '=', email).where('state', '!=', 'completed').executeTakeFirst()
      if (open) {
        const message = 'There is already an incomplete request for this email address.'
        throw new RestError('privacy_request_exists', message, { status: 409 })
      }
      const { id } = await db
        .insertInto('privacy_requests')
        .values({
          ...{ type, email, key_hash: '', expires_gmt: moment, created_gmt: moment, completed_gmt: null, report: '' },
          ...(isConfirmed ? { state: 'confirmed', confirmed_gmt: moment } : { state: 'pending', confirmed_gmt: null }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      try {
        const storedAsFile =
          !isConfirmed && (await sendLink({ id, type, email }, 'confirmaction', CONFIRMATION_LIFETIME))
        return { ...toRequest(await rowOf(id)), storedAsFile }
      } catch (error) {
        await db.deleteFrom('privacy_requests').where('id', '=', id).execute()
        throw error
      }
    },
    async query({ type, limit, offset }) {
      const matching = db.selectFrom('privacy_requests').where('type', '=', type)
      const rows = await matching.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
      const { total } = await matching.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow()
      return { items: rows.map(toRequest), total: Number(total) }
    },
    get: async (id) => toRequest(await rowOf(id)),
    async resend(id) {
      const row = await rowOf(id)
      if (row.state !== 'pending') throw wrongState('The request is already confirmed.')
      const storedAsFile = await sendLink(row, 'confirmaction', CONFIRMATION_LIFETIME)
      return { ...toRequest(row), storedAsFile }
    },
    async complete(id) {
      const row = await rowOf(id)
      if (row.state === 'pending') throw wrongState('The person has not confirmed the request.')
      if (row.type === 'export') {
        // An error is shown to the administrator now, not to the person later.
        await dataOf(row.email)
        const storedAsFile = await sendLink(row, 'personal-data', DOWNLOAD_LIFETIME)
        return { ...(await change(id, { state: 'completed', completed_gmt: toGmt(now()) })), storedAsFile }
      }
      const nothing: ErasureReport = { removed: 0, retained: 0, messages: [] }
      const userId = await userIdOf(row.email)
      const report = await byAll('Some personal data was not erased.', ({ applyFiltersAsync }) =>
        applyFiltersAsync('wp_privacy_personal_data_erasers', nothing, row.email, userId),
      )
      const completed = await change(id, {
        state: 'completed',
        completed_gmt: toGmt(now()),
        report: JSON.stringify(report),
      })
      // The data is erased, whether or not the email is sent.
      const storedAsFile = await send(row.email, ({ __ }) => ({
        subject: __('Your personal data was erased'),
        text: [__('Your personal data on %s was erased.', siteName())],
      })).catch(() => false)
      return { ...completed, storedAsFile }
    },
    async delete(id) {
      await rowOf(id)
      await db.deleteFrom('privacy_requests').where('id', '=', id).execute()
    },
    check: (key) => find(key, ['pending']),
    async confirm(key) {
      const request = await find(key, ['pending'])
      const confirmed = await change(request.id, { state: 'confirmed', key_hash: '', confirmed_gmt: toGmt(now()) })
      const screen = `${siteUrl}/wp-admin/tools/privacy/${request.type}`
      const compose = ({ __ }: PageTexts) => {
        const what =
          request.type === 'export'
            ? __('%s has confirmed the request to export their personal data. To complete it, visit:', request.email)
            : __('%s has confirmed the request to erase their personal data. To complete it, visit:', request.email)
        return { subject: __('Personal data request confirmed'), text: [what, '', screen] }
      }
      // The request is in the list, whether or not the email can be sent.
      await send(site().adminEmail, compose).catch(() => {})
      return confirmed
    },
    checkDownload: (key) => find(key, ['completed']),
    dataOf,
    async prune() {
      const before = toGmt(now() - RETENTION)
      await db
        .deleteFrom('privacy_requests')
        .where((eb) => eb.fn.coalesce('completed_gmt', 'confirmed_gmt', 'created_gmt'), '<', before)
        .execute()
    },
  }
}

function toRequest(row: Selectable<PrivacyRequestTable>): PrivacyRequest {
  const { id, type, email, state, created_gmt: created, confirmed_gmt: confirmed, completed_gmt: completed } = row
  return {
    ...{ id, type, email, state, created: fromGmt(created) },
    confirmed: confirmed && fromGmt(confirmed),
    completed: completed && fromGmt(completed),
    report: row.report === '' ? null : JSON.parse(row.report),
  }
}

const wrongState = (message: string) => new RestError('privacy_request_state', message, { status: 409 })

/** Keys have 256 random bits, so a fast hash is enough. */
const hashOf = (key: string) => hash('sha256', key, 'hex')
