/** Stands in the bundle for the parts of Hono's JSX that run in browsers or stream pages, which nothing here uses. */

const unused = undefined;

export {
  unused as createRef,
  unused as ErrorBoundary,
  unused as forwardRef,
  unused as Suspense,
  unused as startTransition,
  unused as startViewTransition,
  unused as use,
  unused as useActionState,
  unused as useCallback,
  unused as useDebugValue,
  unused as useDeferredValue,
  unused as useEffect,
  unused as useId,
  unused as useImperativeHandle,
  unused as useInsertionEffect,
  unused as useLayoutEffect,
  unused as useMemo,
  unused as useOptimistic,
  unused as useReducer,
  unused as useRef,
  unused as useState,
  unused as useSyncExternalStore,
  unused as useTransition,
  unused as useViewTransition,
};
