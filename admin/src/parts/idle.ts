/**
 * Properties of a button that has nothing to do for now, such as one that saves without changes. Unlike a disabled button, it keeps the
 * focus; its action must check the condition itself.
 */
export const idle = (isIdle: boolean) => (isIdle ? { 'data-disabled': true, 'aria-disabled': true } : {})
