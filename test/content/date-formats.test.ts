import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { formatsOf } from '../../cms/content/date-formats.ts'

describe('The usual date formats', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
  })
  after(() => site?.close())

  const write = async (settings: object) => {
    const request = { method: 'POST', as: 'administrator', body: settings }
    const response = await site.request('/wp-json/wp/v2/settings', request)
    const { date_format: date, time_format: time } = JSON.parse(await response.text())
    return [response.status, date, time]
  }

  it('are those of the language', () => {
    expect(formatsOf('en_US')).to.deep.equal({ dateFormat: 'F j, Y', timeFormat: 'g:i a' })
    expect(formatsOf('de_DE')).to.deep.equal({ dateFormat: 'j. F Y', timeFormat: 'H:i' })
    expect(formatsOf('es_ES').dateFormat).to.equal('j \\d\\e F \\d\\e Y')
    expect(formatsOf('ja').dateFormat).to.equal('Y年n月j日')
    expect(formatsOf('fa_IR').dateFormat).to.match(/^j F Y$/)
    expect(formatsOf('de_DE_formal').dateFormat).to.equal('j. F Y')
    // The setting accepts languages that do not exist.
    expect(formatsOf('xx_abcdefghij')).to.deep.equal(formatsOf('en_US'))
  })

  it('follow the language', async () => {
    expect(await write({ language: 'de_DE' })).to.deep.equal([200, 'j. F Y', 'H:i'])
    const page = await (await site.get('/hello-world/')).text()
    expect(page).to.match(/>\d{1,2}\. \p{L}+ \d{4}</u)
    expect(await write({ language: null })).to.deep.equal([200, 'F j, Y', 'g:i a'])
  })

  it('stay what the owner has chosen, before or with the language', async () => {
    await write({ date_format: 'Y-m-d' })
    expect(await write({ language: 'de_DE' })).to.deep.equal([200, 'Y-m-d', 'H:i'])
    const chosen = { date_format: 'd/m/Y', time_format: 'g:i A', language: 'en_US' }
    expect(await write(chosen)).to.deep.equal([200, 'd/m/Y', 'g:i A'])
    expect(await write({ language: 'xx_abcdefghij' })).to.deep.equal([200, 'd/m/Y', 'g:i A'])
  })
})
