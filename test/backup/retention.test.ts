import { expect } from 'chai'
import { backupsToRemove, keepLatestBackupsCount, type RetainedBackup } from '../../plugins/backup/retention/select.ts'

describe('retention of backups', () => {
  const backup = (id: string, change: Partial<RetainedBackup> = {}): RetainedBackup => ({
    id,
    kind: 'manual',
    date: `2026-01-${id.padStart(2, '0')}T03:00:00Z`,
    keepForever: false,
    ...change,
  })
  const backups = ['3', '1', '5', '2', '4'].map((id) => backup(id))
  const removed = (keep: unknown, of: readonly RetainedBackup[] = backups, justMade = '5') =>
    backupsToRemove(of, keep, { justMade }).map(({ id }) => id)

  it('retains the configured number, and deletes the oldest first', () => {
    expect(removed('3')).to.deep.equal(['1', '2'])
    expect(removed(3)).to.deep.equal(['1', '2'])
    expect(removed('1')).to.deep.equal(['1', '2', '3', '4'])
    expect(removed('5')).to.deep.equal([])
    expect(removed('99')).to.deep.equal([])
  })

  it('keeps all with 0, and with anything that is no number', () => {
    for (const keep of [
      '0',
      0,
      '',
      '-1',
      -1,
      'abc',
      '3abc',
      ' 3',
      '1e1',
      '2.5',
      2.5,
      '٣',
      null,
      undefined,
      Number.NaN,
      [3],
    ]) {
      expect(removed(keep), String(keep)).to.deep.equal([])
    }
  })

  it('never removes or counts uploaded backups and those marked “keep forever”', () => {
    const mixed = [
      backup('1', { kind: 'uploaded' }),
      backup('2', { keepForever: true }),
      backup('3', { kind: 'automatic' }),
      backup('4'),
      backup('5'),
    ]
    expect(removed('2', mixed)).to.deep.equal(['3'])
    expect(removed('1', mixed)).to.deep.equal(['3', '4'])
  })

  it('does not remove the backup that the site will be restored from', () => {
    const rest = backupsToRemove(backups, '1', { justMade: '5', needed: '1' })
    expect(rest.map(({ id }) => id)).to.deep.equal(['2', '3', '4'])
  })

  it('never removes the one just made, even where the clock went back', () => {
    const late = [...backups, backup('6', { date: '2020-01-01T00:00:00Z' })]
    expect(removed('1', late, '6')).to.deep.equal(['1', '2', '3', '4', '5'])
    expect(removed('1', [backup('6')], '6')).to.deep.equal([])
  })

  it('decides the same among backups of one moment, in whatever order they come', () => {
    const date = '2026-01-01T00:00:00Z'
    const same = ['b', 'a', 'c'].map((id) => backup(id, { date }))
    expect(removed('1', same, 'a')).to.deep.equal(['b', 'c'])
    expect(removed('1', same.toReversed(), 'a')).to.deep.equal(['b', 'c'])
  })

  describe('the setting keepLatestBackupsCount', () => {
    it('is a string number, 5 by default; an integer is accepted and becomes a string', () => {
      expect(keepLatestBackupsCount.parse(undefined)).to.equal('5')
      expect(keepLatestBackupsCount.parse('3')).to.equal('3')
      expect(keepLatestBackupsCount.parse(3)).to.equal('3')
      expect(keepLatestBackupsCount.parse(0)).to.equal('0')
    })

    it('refuses everything else', () => {
      for (const value of ['', '-1', -1, 'abc', '3.5', 3.5, '03', null, true, []]) {
        expect(keepLatestBackupsCount.safeParse(value).success, String(value)).to.equal(false)
      }
    })
  })
})
