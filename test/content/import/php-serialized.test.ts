import { expect } from 'chai'
import { decodePhp } from '../../../cms/content/import/php-serialized.ts'

describe('decodePhp', () => {
  const cases: [text: string, value: unknown][] = [
    ['N;', null],
    ['b:1;', true],
    ['b:0;', false],
    ['i:-7;', -7],
    ['d:0.5;', 0.5],
    ['d:1.0E+25;', 1e25],
    ['s:6:"Mü日";', 'Mü日'],
    ['s:3:"a"b";', 'a"b'],
    ['a:0:{}', []],
    ['a:2:{i:0;s:1:"a";i:1;N;}', ['a', null]],
    ['a:2:{i:1;s:1:"a";i:0;s:1:"b";}', { 0: 'b', 1: 'a' }],
    ['a:1:{s:1:"k";a:1:{i:5;b:1;}}', { k: { 5: true } }],
    ['s:4:"a\nb";', 'a\r\nb'],
  ]
  for (const [text, value] of cases) it(`reads ${text}`, () => expect(decodePhp(text)).to.deep.equal(value))

  const kept = [
    '',
    'plain',
    's:',
    's:3:"ab";',
    's:1:"ab";',
    's:2:"日";',
    'i:1',
    'i:1;x',
    'i:99999999999999999999;',
    'i:0x10;',
    'd:NAN;',
    'd:INF;',
    'b:2;',
    'a:1:{i:0;',
    'a:1:{}',
    'a:999999999:{}',
    'a:1:{a:0:{}i:1;}',
    'O:8:"stdClass":0:{}',
    'a:1:{i:0;O:8:"stdClass":0:{}}',
    'a:2:{i:0;i:1;i:1;R:2;}',
    'C:3:"Foo":0:{}',
    'E:3:"A:B";',
    'a:1:{s:9:"__proto__";i:1;}',
    'a:1:{i:0;'.repeat(10_000),
    'a:-1:{}',
    's:-1:"";',
  ]
  for (const text of kept)
    it(`leaves ${text.slice(0, 40) || 'nothing'} alone`, () => expect(decodePhp(text)).to.equal(undefined))
})
