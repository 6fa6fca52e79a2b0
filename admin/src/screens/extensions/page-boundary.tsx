import { Component, type ReactNode } from 'react'
import { __, sprintf } from '../../i18n.ts'
import { ErrorNote } from '../../parts/error-note.tsx'

interface PageBoundaryProps {
  /** Name of the extension. */
  readonly owner: string
  readonly children: ReactNode
}

/** Error boundary: names the extension whose page failed to render. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <PageProblem owner={this.props.owner} error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}

export function PageProblem({ owner, error, onRetry }: { owner: string; error: unknown; onRetry: () => void }) {
  return (
    <ErrorNote
      title={sprintf(__('The extension “%s” could not display this page', 'pentad'), owner)}
      error={error}
      onRetry={onRetry}
    />
  )
}
