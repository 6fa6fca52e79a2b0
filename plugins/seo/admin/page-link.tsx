import { Anchor } from '@mantine/core'
import { readable } from 'pentad/admin/parts/plain-text.ts'

/** A link to a page of this site, with its decoded path. */
export function PageLink({ url, size = 'xs' }: { url: string; size?: 'xs' | 'sm' }) {
  return (
    <Anchor href={url} size={size}>
      {readable(new URL(url).pathname)}
    </Anchor>
  )
}
