import { expect } from 'chai'
import { PASSWORD } from '../../admin-site.ts'
import type { Walk } from './keys.ts'

/** A backup, its restore, and the undo of that. */
export function restore(walk: () => Walk): void {
  it('restores a backup, and undoes that', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    admin.allow(/^503 \/wp-json\//)
    const posts = () => admin.site.host.content.posts
    await keys.open('/wp-admin/backup')
    await keys.press('Create backup')
    await page.getByRole('dialog', { name: 'Create backup' }).waitFor()
    await keys.look()
    await keys.type('Title', 'Before the move')
    await keys.press('Start backup')
    await page.getByRole('link', { name: 'Before the move' }).waitFor()
    const { id } = await posts().insert({ title: 'Written since', status: 'publish' })
    async function confirm(): Promise<void> {
      await keys.press('Restore backup…')
      await page.getByRole('dialog', { name: /^Restore “/ }).waitFor()
      await keys.look()
      await keys.press('Restore backup')
      // Not again within a few minutes.
      const question = page.getByRole('dialog', { name: 'Confirm your password' })
      await question.or(page.getByRole('region', { name: 'Restore in progress' })).waitFor()
      if (await question.isVisible()) {
        await keys.type('Current password', PASSWORD)
        await keys.keys('Enter')
      }
      await page.getByText('The site has been restored from the backup, and you are logged in again.').waitFor()
    }
    await keys.press('Restore')
    await page.getByText('Restoring replaces the current site').waitFor()
    await confirm()
    expect(await posts().get(id)).to.equal(undefined)
    await keys.press('Undo restore')
    await page.getByText('“Before a restore” was created on').waitFor()
    await keys.press(/^Back up the current site first/, 'Space')
    await confirm()
    expect(await posts().get(id)).to.include({ title: 'Written since' })
  })
}
