resource "aws_s3_bucket" "uploads" {
  bucket = "acme-uploads"
}
