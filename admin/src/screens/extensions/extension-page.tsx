import { Alert } from '@mantine/core'
import { useLocation, useSearchParams } from 'react-router'
import { __, sprintf } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { Page } from '../../parts/page.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { PageDetails } from './page-details.tsx'
import { PageModule } from './page-module.tsx'
import { PagePart } from './page-part.tsx'

/** A page added by an extension. */
export default function ExtensionPage() {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const page = pageData.pages.find(({ path }) => path === `/wp-admin${pathname}`)
  if (!page) return <NotFound />
  const { title, owner, parts, module, problem } = page
  const id = params.get('item')
  const table = parts?.find((part) => part.type === 'table' && part.details !== undefined)
  if (id && table?.type === 'table' && table.details) {
    return (
      <PageBoundary owner={owner}>
        <PageDetails page={page} table={table} details={table.details} id={id} />
      </PageBoundary>
    )
  }
  return (
    <Page key={page.path} title={title} description={sprintf(__('Added by %s', 'pentad'), owner)}>
      <PageBoundary owner={owner}>
        {parts?.map((part, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a page stay where they are
          <PagePart key={place} part={part} page={page} />
        ))}
        {module !== undefined && <PageModule page={page} module={module} />}
        {problem !== undefined && (
          <Alert color="red" role="alert" title={sprintf(__('“%s” could not display this page', 'pentad'), owner)}>
            {problem || __('Its script could not be built. Ask a site administrator to check the extension.', 'pentad')}
          </Alert>
        )}
      </PageBoundary>
    </Page>
  )
}
