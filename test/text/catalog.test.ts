import { equal } from 'node:assert/strict'
import { fill } from '../../cms/text/catalog.ts'

describe('Placeholders', () => {
  it('are replaced in their order, or by number, so that a translation can reorder them', () => {
    equal(fill('Change %s to %s?', ['a', 'b']), 'Change a to b?')
    equal(fill('%2$s instead of %1$s, not %1$s', ['a', 'b']), 'b instead of a, not a')
    equal(fill('%1$s and %3$s', ['a', 'b']), 'a and ')
  })

  it('do not replace what a value contains', () => {
    equal(fill('%s and %s', ['%s %1$s %%', '$&']), '%s %1$s %% and $&')
  })

  it('have a percent sign as %%, if there are values', () => {
    equal(fill('%s: 5%% of %1$s', ['a']), 'a: 5% of a')
    equal(fill('%%s is not %s', ['a']), '%s is not a')
    equal(fill('100%% %s', []), '100%% %s')
  })
})
