/** A pod of about 1.5 KB once it is stored, as the budgets mean it. */
export function pod(name: string, namespace: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: { app: "bench", tier: "backend", "app.kubernetes.io/name": "bench" },
      annotations: { "example.com/note": "x".repeat(200) },
    },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          name: "main",
          image: "registry.example.com/team/app:v1.2.3",
          ports: [{ name: "http", containerPort: 8080 }],
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "2" },
          ],
          resources: { requests: { cpu: "10m", memory: "16Mi" } },
        },
      ],
    },
  });
}
