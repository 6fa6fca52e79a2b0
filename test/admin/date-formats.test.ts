import { expect } from 'chai'
import { formatsOf, withLanguage } from '../../admin/src/parts/date-formats.ts'

describe('The usual date formats', () => {
  it('are those of the language', () => {
    expect(formatsOf('en_US')).to.deep.equal({ date_format: 'F j, Y', time_format: 'g:i a' })
    expect(formatsOf('de_DE')).to.deep.equal({ date_format: 'j. F Y', time_format: 'H:i' })
    expect(formatsOf('es_ES').date_format).to.equal('j \\d\\e F \\d\\e Y')
    expect(formatsOf('ja').date_format).to.equal('Y年n月j日')
    expect(formatsOf('fa_IR').date_format).to.match(/^j F Y$/)
    expect(formatsOf('de_DE_formal').date_format).to.equal('j. F Y')
    // The setting accepts languages that do not exist.
    expect(formatsOf('de_abcdefghij')).to.deep.equal(formatsOf('en_US'))
  })

  it('follow the language, unless the owner has chosen others', () => {
    const values = { language: 'en_US', date_format: 'F j, Y', time_format: 'H:i' }
    expect(withLanguage(values, 'de_DE')).to.deep.equal({ language: 'de_DE', date_format: 'j. F Y' })
    expect(withLanguage({ ...values, date_format: 'Y-m-d' }, 'de_DE')).to.deep.equal({ language: 'de_DE' })
  })
})
