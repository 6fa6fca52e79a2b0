import { useDebouncedCallback } from '@mantine/hooks'
import type { Editor } from '@tiptap/react'
import { useEffect, useState } from 'react'
import { _n, sprintf } from '../../../../i18n.ts'
import { countsOf } from './overview.ts'
import classes from './rich-text.module.css'

/** Delay in ms: counting long posts takes a while. */
const COUNT_AFTER = 500

/** The number of words below the text. */
export function WordCount({ editor }: { editor: Editor }) {
  const [words, setWords] = useState(() => countsOf(editor.state.doc).words)
  const count = useDebouncedCallback(() => setWords(countsOf(editor.state.doc).words), COUNT_AFTER)
  useEffect(() => {
    editor.on('transaction', count)
    return () => {
      editor.off('transaction', count)
      count.cancel()
    }
  }, [editor, count])
  return <div className={classes.count}>{sprintf(_n('%d word', '%d words', words, 'pentad'), words)}</div>
}
