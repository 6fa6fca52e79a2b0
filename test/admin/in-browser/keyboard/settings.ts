import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { until } from '../../../support/until.ts'
import type { Walk } from './keys.ts'

/** Email, privacy, and Site Health. */
export function settings(walk: () => Walk): void {
  it('changes email settings, tests them, and sends an email again', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const { mail, settings: records } = admin.site.host
    await mail.send({ to: 'ada@example.org', subject: 'Your order 12', text: 'Thank you!' })
    await keys.open('/wp-admin/settings/mail')
    await keys.type('Sender name', 'Northern notes')
    await keys.press('Save changes')
    await until(() => records.get('mail')?.get().fromName === 'Northern notes')
    await keys.arriveAt('Save changes')
    await keys.type('Recipient', 'grace@example.org')
    await keys.press('Send test email')
    await page.getByText('It was saved in the site’s “mail” folder.').waitFor()
    await keys.arriveAt('Send test email')
    await keys.look()
    await keys.press('Send again: Your order 12')
    await page.getByText('The email was stored as a file').waitFor()
    await keys.arriveAt('Send again: Your order 12')
    await keys.press('Clear log')
    await page.getByRole('dialog').waitFor()
    await keys.press('Clear log')
    await page.getByText('No emails found').waitFor()
    await keys.arriveAt('Email log')
    await keys.look()
  })

  it('answers requests for personal data', async () => {
    const { keys } = walk()
    const { page } = keys
    await keys.open('/wp-admin/tools/privacy/erase')
    const add = async (email: string) => {
      await keys.type('Email address', email)
      await keys.press('Add request')
      await page.getByRole('cell', { name: email, exact: true }).waitFor()
      await keys.arriveAt('Add request')
    }
    await keys.press(/^Send confirmation email/, 'Space')
    await add('ada@example.org')
    await add('bob@example.org')
    await keys.press('Erase personal data')
    await page.getByRole('dialog').waitFor()
    await keys.look()
    await keys.press('Cancel')
    await keys.arriveAt('Erase personal data')
    await keys.keys('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.press('Erase personal data')
    await page.getByText('0 items erased.').waitFor()
    await keys.arriveAt(/^bob@example\.org/)
    await keys.press('Delete request: bob@example.org')
    await page.getByText('bob@example.org').waitFor({ state: 'detached' })
    await keys.arriveAt(/^ada@example\.org/)
    await keys.press('Delete request: ada@example.org')
    await page.getByText('ada@example.org').waitFor({ state: 'detached' })
    await keys.arriveAt('Erase personal data')

    await keys.open('/wp-admin/tools/privacy/export')
    await keys.press(/^Send confirmation email/, 'Space')
    await add('ada@example.org')
    const downloading = page.waitForEvent('download')
    await keys.press('Download personal data')
    expect((await downloading).suggestedFilename()).to.equal('personal-data.json')
    await keys.arriveAt('Download personal data')
  })

  it('fixes what Site Health finds', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    chmodSync(join(admin.site.host.config.siteDir, 'options.json'), 0o644)
    await keys.open('/wp-admin/tools/site-health')
    await page.getByText(/Other users may read .*options\.json/).waitFor()
    await keys.press(/^Restrict permissions/)
    await page.getByText(/Other users may read .*options\.json/).waitFor({ state: 'detached' })
    await keys.arriveAt(/^EmailRecommended/)
    await keys.press('Show')
    await keys.look()
    await keys.press('Copy information')
    await keys.to(/^Email settings/, 'Shift+Tab')
    await keys.keys('Enter')
    await page.getByRole('heading', { level: 1, name: 'Email settings' }).waitFor()
  })
}
