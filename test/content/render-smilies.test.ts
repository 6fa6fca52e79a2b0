import { expect } from 'chai'
import { convertSmilies } from '../../cms/content/render/smilies.ts'

describe('smilies', () => {
  it('become emoji if they are surrounded by whitespace', () => {
    expect(convertSmilies('<p>Hello :) and :-( or :lol:</p>')).to.equal('<p>Hello 🙂 and 🙁 or 😆</p>')
    expect(convertSmilies('<p>:)</p>')).to.equal('<p>🙂</p>')
  })

  it('stay in words, addresses, attributes and code', () => {
    const html = '<p>list:x a:) <a href="x" title=" :) ">8:00</a> <code> :) </code> http://a/:D</p>'
    expect(convertSmilies(html)).to.equal(html)
  })

  it('leave entities and broken markup as they are', () => {
    const html = '<p>Tom &amp; Jerry :D <b>x</p>&nbsp;:)'
    expect(convertSmilies(html)).to.equal('<p>Tom &amp; Jerry 😀 <b>x</p>&nbsp;🙂')
  })
})
