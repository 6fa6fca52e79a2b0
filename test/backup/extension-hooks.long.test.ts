import { expect } from 'chai'
import { type MailMessage, RestError } from 'pentad'
import type { BackupOutcome } from '../../plugins/backup/hooks.ts'
import { type BackupSite, createBackupSite } from './backup-site.ts'

/** What an extension does that wants to refuse. */
function refuse(): never {
  throw new RestError('not_now', 'Not now.', { status: 409 })
}

describe('An extension', () => {
  let site: BackupSite

  before(async () => {
    site = await createBackupSite()
    await site.call('PUT', '/settings', { settings: { notifications: 'always' } })
  })
  after(() => site.close())

  it('receives each event of a backup once, from its start to its deletion', async () => {
    const { hooks } = site.host
    const told: [string, unknown][] = []
    const note = (name: string) => (about: unknown) => {
      told.push([name, about])
    }
    const undo = [
      hooks.addFilter('backup_file_name', (name, job) => {
        note('backup_file_name')(job)
        return `mine-${name}`
      }),
      hooks.addAction('backup_started', note('backup_started')),
      hooks.addAction('backup_completed', note('backup_completed')),
      hooks.addFilter('backup_notification', (message: MailMessage | null, { job, record }: BackupOutcome) => {
        note('backup_notification')(job)
        return message && { ...message, subject: record?.fileName ?? '' }
      }),
      hooks.addAction('backup_removed', note('backup_removed')),
    ]
    const mails = site.mails.length
    const jobId = await site.create({ title: 'Heard' })
    await site.ended(jobId)
    const [record] = await site.records()
    await site.call('DELETE', '/backup/remove', { backupId: jobId })
    for (const remove of undo) remove()
    const job = { title: 'Heard', kind: 'manual', location: 'local' }
    expect(told).deep.equal([
      ['backup_file_name', job],
      ['backup_started', { jobId, ...job }],
      ['backup_completed', record],
      ['backup_notification', { jobId, ...job }],
      ['backup_removed', record],
    ])
    expect(record?.fileName).match(/^mine-/)
    expect(site.mails.slice(mails).map(({ subject }) => subject)).deep.equal([record?.fileName])
  })

  it('can refuse a backup before it begins, and none that is complete', async () => {
    const { hooks } = site.host
    const undo = hooks.addFilter('backup_file_name', refuse)
    const refused = await site.call('POST', '/backup/create')
    expect([refused.status, refused.code]).deep.equal([409, 'not_now'])
    undo()

    const undoAll = [
      hooks.addAction('backup_completed', refuse),
      hooks.addAction('backup_removed', refuse),
      hooks.addFilter('backup_notification', refuse),
    ]
    const mails = site.mails.length
    const jobId = await site.create({ title: 'Complete' })
    expect((await site.ended(jobId)).state).equal('complete')
    const again = (await site.log(jobId)).filter(({ message }) => /tried again/.test(message))
    expect(again, 'what is complete is not tried again').deep.equal([])
    expect(site.mails.slice(mails).map(({ subject }) => /Complete$/.test(subject))).deep.equal([true])
    expect((await site.call('DELETE', '/backup/remove', { backupId: jobId })).status).equal(200)
    for (const remove of undoAll) remove()
  })

  it('can refuse a restore, which then does not go on either', async () => {
    const { hooks, jobs, content } = site.host
    const backupId = await site.create()
    await site.ended(backupId)
    const { id } = await content.posts.insert({ title: 'Later', status: 'publish' })
    const undo = hooks.addAction('restore_started', refuse)
    const refused = await site.call('POST', '/restore/start', { backupId })
    undo()
    expect([refused.status, refused.code]).deep.equal([409, 'not_now'])
    await jobs.runDue()
    expect((await content.posts.get(id))?.title).equal('Later')
    // Nothing is under way: the next one may begin.
    const next = await site.create()
    expect((await site.ended(next)).state).equal('complete')
  })

  it('that gives no locations keeps no backup from being made', async () => {
    const name = 'backup_locations' as string
    const filters = [() => null, () => 42, (known: unknown) => [known, null, { id: 'half' }].flat()]
    for (const filter of filters) {
      const undo = site.host.hooks.addFilter(name, filter)
      const jobId = await site.create()
      const { state } = await site.ended(jobId)
      undo()
      expect(state).equal('complete')
    }
  })
})
