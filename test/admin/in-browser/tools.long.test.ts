import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { WXR_END, WXR_HEAD, wxrItem } from '../../content/import/wxr-file.ts'
import { type AdminSite, expectAccessible, openAdminSite, shoot } from '../admin-site.ts'

const FIXTURES = join(import.meta.dirname, '../../fixtures')

describe('The tools screens', () => {
  let admin: AdminSite
  let page: Page

  before(async () => {
    admin = await openAdminSite()
    // A file that is no export, on purpose.
    admin.allow(/^400 \/wp-json\/host\/v1\/import\/upload\/chunk|status of 400/)
    page = await admin.signIn('administrator', '/wp-admin/tools')
  })
  after(() => admin.close())

  const choose = (name: string, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.getByLabel(name, { exact: true }).setInputFiles(files)
  const xml = (name: string, ...items: string[]) => ({
    ...{ name, mimeType: 'text/xml' },
    buffer: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${WXR_HEAD}${items.join('')}${WXR_END}`),
  })

  it('are for who may import and export', async () => {
    await page.getByRole('link', { name: 'Import content' }).waitFor()
    await expectAccessible(page)
    const editor = await admin.signIn('editor', '/wp-admin/')
    await editor.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name: 'Posts' }).waitFor()
    expect(await editor.getByRole('link', { name: 'Tools' }).count()).to.equal(0)
  })

  it('preview an import, then import the same files with their media', async () => {
    await page.getByRole('link', { name: 'Import content' }).click()
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).to.equal(true)
    await choose('Export files', {
      ...{ name: 'site.xml.gz', mimeType: 'application/gzip' },
      buffer: gzipSync(readFileSync(join(FIXTURES, 'wordpress-export.xml'))),
    })
    await choose('Uploads archive', {
      ...{ name: 'uploads.tar.gz', mimeType: 'application/gzip' },
      buffer: readFileSync(join(FIXTURES, 'wordpress-uploads.tar.gz')),
    })
    await expectAccessible(page)
    await shoot(page, 'import')
    await page.getByRole('button', { name: 'Dry run' }).click()
    const dryRun = page.getByRole('region', { name: 'Dry run report' })
    await dryRun.getByRole('row', { name: /^Media files \d+ 0$/ }).waitFor()
    await dryRun.getByRole('row', { name: /^Comments \d+ \d+$/ }).waitFor()
    await shoot(page, 'import-dry-run')

    await dryRun.getByRole('button', { name: 'Import now' }).click()
    const report = page.getByRole('region', { name: 'Last import report' })
    await report.getByRole('row', { name: /^Posts \d+ \d+$/ }).waitFor()
    expect(await report.getByText('missing').count()).to.equal(0)
    await expectAccessible(page)
    await shoot(page, 'import-report')
    const { items } = await admin.site.host.content.posts.query({ types: ['attachment'], statuses: ['inherit'] })
    expect(items.length).to.be.greaterThan(0)
  })

  it('show the progress of an import again after a reload, and cancel it', async () => {
    const undo = admin.site.host.hooks.addAction('save_post', () => wait(50))
    await choose('Export files', xml('many.xml', ...Array.from({ length: 400 }, (_, at) => wxrItem({ id: 7000 + at }))))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const running = page.getByRole('region', { name: 'Import in progress' })
    await running.getByText(/posts, \d+ pages/).waitFor()
    await page.reload()
    await running.getByText('many.xml').waitFor()
    await shoot(page, 'import-progress')
    await running.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click()
    await page.getByText('The import was canceled. Import the same file again to finish.').waitFor()
    undo()
  })

  it('say why a file is not imported', async () => {
    await choose('Export files', {
      name: 'photo.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from('JFIF, no export at all'),
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('alert').getByText('Not a WordPress export (WXR) or an archive of media files.').waitFor()
    await page.getByRole('button', { name: 'Cancel upload' }).click()
    await page.getByRole('button', { name: 'Remove “photo.xml”' }).click()
    await choose('Export files', xml('cut.xml', '<item><title>cut'))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/^cut\.xml, line \d+: the file/)
      .waitFor()
    await shoot(page, 'import-failed')
    await choose('Export files', { name: 'empty.xml', mimeType: 'text/xml', buffer: Buffer.alloc(0) })
    await page.getByRole('alert').getByText('These files are empty: empty.xml.').waitFor()
    const failed = page.getByRole('alert').getByText(/^cut\.xml, line/)
    expect(await failed.count(), 'of the import that failed before').to.equal(0)
  })

  it('export all content, or a part', async () => {
    await page
      .getByRole('navigation', { name: 'Admin menu' })
      .getByRole('link', { name: 'Export', exact: true })
      .click()
    await page.getByRole('heading', { name: 'Export', exact: true }).waitFor()
    await expectAccessible(page)
    await shoot(page, 'export')
    const download = async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download export file' }).click(),
      ])
      expect(file.suggestedFilename()).to.match(/\.WordPress\.\d{4}-\d\d-\d\d\.xml$/)
      return readFile(await file.path(), 'utf8')
    }
    const all = await download()
    expect(all)
      .to.match(/^<\?xml/)
      .and.match(/<\/rss>\n$/)
    expect(all).to.include('<wp:post_type><![CDATA[page]]>').and.include('<wp:comment>')

    await page.getByRole('combobox', { name: 'Post type' }).click()
    await page.getByRole('option', { name: 'Pages' }).click()
    await page.getByLabel('Start date').fill('2020-01-01')
    await page.getByRole('switch', { name: 'Comments' }).press('Space')
    const part = await download()
    expect(part).to.include('<wp:post_type><![CDATA[page]]>').and.not.include('<![CDATA[attachment]]>')
    expect(part).to.not.include('<wp:comment>')
  })
})
