import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser } from 'playwright-core'
import { until } from '../support/until.ts'
import { launchChromium, measured } from './chromium.ts'
import { fetchScore, SPEED } from './visits.ts'

describe('The script that measures a visit', () => {
  let site: TestHost
  let browser: Browser
  before(async () => {
    site = await createTestHost({ extensions: [SPEED] })
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    await site.close()
  })

  it('takes no text of an author for its own data, which says where reports go', async () => {
    const forged = { token: 'forged', endpoint: `${site.url}/?forged`, rate: 100 }
    const content = `<p id="speed-vitals">${JSON.stringify(forged)}</p>`
    const body = { title: 'Forged', slug: 'forged-data', status: 'publish', content }
    const answer = await site.request('/wp-json/wp/v2/posts', { method: 'POST', as: 'author', body })
    expect(answer.status).to.equal(201)
    const page = await browser.newPage()
    await page.goto(`${site.url}/forged-data/`, { waitUntil: 'load' })
    expect(await page.textContent('p#speed-vitals')).to.include('forged')
    await page.click('h1')
    await measured(page)
    await page.goto(`${site.url}/sample-page/`)
    await until(async () => (await fetchScore(site)).samples === 1)
  })
})
