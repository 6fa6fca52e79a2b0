import { expect } from 'chai'
import { moneyFormat } from '../../admin/src/settings/money.ts'

describe('Amounts of money as they are typed', () => {
  const cases = [
    [
      'en-US',
      'EUR',
      '1,290.00',
      ['1,290.00', '1290', '1,290', '1 290.00', '€1,290', ' 1290.0 '],
      ['12,90', '1.290', '1.2.3', '-5', '12.905', 'x'],
    ],
    [
      'de-DE',
      'EUR',
      '1.290,00',
      ['1.290,00', '1290', '1.290', '1 290,00', '1290,0 €'],
      ['12.90', '1,290', '1.290.00', '12,905'],
    ],
    ['fr-FR', 'EUR', '1\u202f290,00', ['1 290,00', '1\u202f290', '1290.00', '1290,0'], ['1.290', '1,290']],
    ['de-CH', 'CHF', '1’290.00', ['1’290.00', "1'290", '1290.00'], ['1,290', '1.290']],
  ] as const
  for (const [language, currency, example, right, wrong] of cases) {
    it(`are read in ${language}, with and without thousands separators`, () => {
      const { parse, ...format } = moneyFormat(language, currency)
      expect(format.example).to.match(new RegExp(`^${example.replace('’', "['’]").replace('.', '\\.')}$`))
      for (const text of right) expect(parse(text), text).to.equal(129_000)
      for (const text of [...wrong, '', '.', '€', '9'.repeat(20)]) expect(parse(text), text).to.equal(undefined)
      expect(parse(format.format(1205))).to.equal(1205)
    })
  }

  it('have the decimals of the currency', () => {
    const yen = moneyFormat('de-DE', 'JPY')
    expect([yen.parse('1.290'), yen.parse('1290'), yen.parse('12,90'), yen.parse('12.')]).to.deep.equal([
      ...[1290, 1290, undefined, undefined],
    ])
    expect([yen.format(1290), yen.example]).to.deep.equal(['1290', '1.290'])
    expect(moneyFormat('en-US', 'KWD').parse('1.290')).to.equal(1290)
    expect(moneyFormat('en-US', 'EUR').parse('.5')).to.equal(50)
  })
})
