import { Anchor } from '@mantine/core'
import { readable } from 'pentad/admin/parts/plain-text.ts'

/** A page of this site by its path, in the letters of its language. */
export function PageLink({ url, size = 'xs' }: { url: string; size?: 'xs' | 'sm' }) {
  return (
    <Anchor href={url} size={size}>
      {readable(new URL(url).pathname)}
    </Anchor>
  )
}
