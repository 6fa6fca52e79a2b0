import { expect } from 'chai'
import { type AdminSite, expectAccessible, openAdminSite, shoot } from '../admin-site.ts'

describe('The email log in the admin', () => {
  let admin: AdminSite
  before(async () => {
    admin = await openAdminSite()
  })
  after(() => admin.close())

  it('lists emails, sends one again, and is cleared after a question', async () => {
    const { mail } = admin.site.host
    await mail.send({ to: 'ada@example.org', subject: 'Your order 12', text: 'Thank you!' })
    await mail.send({ to: 'bob@example.org', subject: 'Reset your password', text: 'link' }, { isSecret: true })
    await mail.send({ to: 'no address', subject: 'Broken', text: '' }).catch(() => {})
    const page = await admin.signIn('administrator', '/wp-admin/settings/mail')
    const table = page.getByRole('table', { name: 'Email log' })
    await table.getByRole('row', { name: /ada@example\.org Your order 12 Not sent, stored as a file/ }).waitFor()
    await table.getByText(/is not valid.*\(1 attempt\)$/).waitFor()
    expect(await page.getByRole('button', { name: /^Send again/ }).count()).to.equal(2)
    await expectAccessible(page)
    await shoot(page, 'mail-log')
    await page.getByRole('button', { name: 'Send again: Your order 12' }).press('Enter')
    await page.getByText('The email was stored as a file, because no SMTP server is configured.').waitFor()
    const sent = await admin.site.host.database.db
      .selectFrom('mail_log')
      .selectAll()
      .where('attempts', '=', 2)
      .execute()
    expect(sent.map(({ subject }) => subject)).to.deep.equal(['Your order 12'])
    await page.getByRole('button', { name: 'Clear log' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear log' }).click()
    await page.getByText('No emails found').waitFor()
  })
})
